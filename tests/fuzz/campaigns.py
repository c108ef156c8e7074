"""Small campaigns that the cases start from, made by the program itself, and the digests that they must end with."""

import os
import shutil
import sqlite3
import subprocess
import time

import database
import runner
from formats import Text

COMMON = {
    "campaign.seed": 7, "model.dim": 2, "model.L": 4, "disorder.realizations": 3, "ladder.T_min": 0.5, "ladder.T_max": 1.5,
    "ladder.slots": 3, "round.measurements": 3, "protocol.exchanges_per_measurement": 1, "convergence.min_rounds": 1,
    "convergence.max_rounds": 4, "convergence.min_round_trips": 0, "convergence.n_tau": 0,
    "convergence.equilibration_tau": 0, "backend.kind": "cpu", "backend.threads": 1, "backend.batch": 2,
    "workers.lease_seconds": 5,
}
KINDS = {
    "field": {"model.dim": 3, "model.field": "sphere", "model.field_strength": 0.1, "replicas.copies": 4,
              "protocol.overrelaxation": 1},
    "ladder": {"ladder.adapt": "rejection", "ladder.pilots": 2, "ladder.adapt_rounds": 24, "protocol.overrelaxation": 1},
    "ising": {"model.type": "ising", "model.L": "4, 6", "model.couplings": "bimodal"},
    "potts": {"model.type": "potts", "model.q": 3, "protocol.kind": "swendsen-wang", "protocol.exchange": "none"},
    "phi4": {"model.type": "phi4", "model.lambda": 1, "protocol.kind": "wolff", "ladder.T_min": 1.5, "ladder.T_max": 2.5},
    "on": {"model.type": "on", "model.n": 2, "model.couplings": "ferromagnet", "protocol.kind": "swendsen-wang",
           "disorder.realizations": 8, "convergence.max_rounds": 9},
}
HALF_DONE = ("field", "ising", "on")  # kinds that are also there with half of their rounds
RAISED = ("potts",)  # kinds whose number of rounds was raised later
FINISHED, HALF = "finished", "half"
ADAPTED = 8  # stages of the ladder that is there half adapted


def write_config(path, values):
    with open(path, "w") as file:
        file.writelines(f"{key} = {value}\n" for key, value in values.items() if value != "")


class Base:
    """A campaign, file by file."""

    def __init__(self, kind, stage, config, directory):
        self.name, self.kind, self.stage, self.config = f"{kind}-{stage}", kind, stage, config
        self.files = {}
        for folder, _, names in os.walk(directory):
            for name in names:
                path = os.path.join(folder, name)
                with open(path, "rb") as file:
                    self.files[os.path.relpath(path, directory)] = file.read()
        self.files.pop("campaign.lock", None)
        self.known = {}  # digests of bins and state by (L, realization, rounds)
        self.final = []  # the lines of `inspect --digest` at the end
        path = os.path.join(directory, "campaign.sqlite")
        self.schema, self.types = database.loosen(path)
        with open(path, "rb") as file:
            self.loose = file.read()
        tables = database.Tables(path, {}, self.types)
        self.rows = {table: tables.rows(table) for table in self.types}
        tables.connection.close()
        self.checkpoints = sorted(name for name in self.files if name.startswith("checkpoints/"))

    def put(self, directory, loose=False):
        os.makedirs(os.path.join(directory, "checkpoints"), exist_ok=True)
        for name, data in self.files.items():
            with open(os.path.join(directory, name), "wb") as file:
                file.write(self.loose if loose and name == "campaign.sqlite" else data)

    def edit(self, directory, change):
        """Writes the campaign, with its database as `change(tables)` makes it."""
        self.put(directory, loose=True)
        path = os.path.join(directory, "campaign.sqlite")
        tables = database.Tables(path, self.schema, self.types)
        try:
            change(tables)
        finally:
            tables.close()
        database.set_journal(path, 2)


class Workshop:
    def __init__(self, program, scratch):
        self.program, self.scratch = program, scratch
        shutil.rmtree(scratch, ignore_errors=True)
        os.makedirs(scratch)

    def call(self, *arguments, environment=None):
        result = runner.run(self.program, list(arguments), self.scratch, self.scratch, environment)
        if result.status != 0:
            raise SystemExit(f"A campaign to start from cannot be made: glassworks {' '.join(arguments)}: "
                             f"{result.err.decode(errors='replace')}")
        return result.out.decode()

    def run(self, config, directory, **changes):
        changed = [f"--{key.replace('__', '.')}={value}" for key, value in changes.items()]
        self.call("run", config, f"--campaign.directory={directory}", *changed)
        return self.call("inspect", directory, "--digest")

    def kind(self, kind):
        """The bases of a kind."""
        values = COMMON | KINDS[kind]
        config, last = f"{kind}.cfg", values["convergence.max_rounds"]
        write_config(os.path.join(self.scratch, config), values)
        known, final = {}, None
        for rounds in range(1, last + 3):  # more than there are: a status that was changed may lead to them
            digests = self.run(config, f"{kind}-{rounds}", convergence__max_rounds=rounds)
            final = digests if rounds == last else final
            for line in digests.splitlines():
                L, realization, done, bins, state = line.split()
                known[int(L), int(realization), int(done)] = bins, state
        finished = f"{kind}-{last}"
        if kind in RAISED:
            finished = f"{kind}-{last - 1}"
            self.run(config, finished)
        bases = [self.base(kind, FINISHED, config, finished)]
        if kind in HALF_DONE:
            half = f"{kind}-{last // 2}"
            self.reopen(half, last // 2, last)
            bases.append(self.base(kind, HALF, config, half))
        if kind == "ladder":
            bases += self.adapting(kind, config)
        for base in bases:
            base.known, base.final = known, final.splitlines()
        return bases

    def adapting(self, kind, config):
        """A campaign that was ended while its ladder was being adapted: after ADAPTED stages, so that all runs of the fuzzer
        start from the same campaign."""
        path = os.path.join(self.scratch, "adapting")
        for _ in range(200):
            shutil.rmtree(path, ignore_errors=True)
            process = subprocess.Popen([self.program, "run", config, "--campaign.directory=adapting"], cwd=self.scratch,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            while process.poll() is None and self.stages(path) < ADAPTED - 1:
                time.sleep(0.0005)
            process.terminate()  # it ends with the stage that it is at
            process.wait()
            if self.stages(path) == ADAPTED:
                return [self.base(kind, HALF, config, "adapting")]
        raise SystemExit(f"A campaign to start from cannot be made: no run was ended after {ADAPTED} stages of its ladder.")

    @staticmethod
    def stages(path):
        """Stages of a ladder that is being adapted, 0 if there are none yet."""
        try:
            connection = sqlite3.connect(f"file:{path}/campaign.sqlite?mode=ro", uri=True)
            try:
                return connection.execute("SELECT count(*) FROM ladder_stages WHERE (SELECT adapting FROM sizes)").fetchone()[0]
            finally:
                connection.close()
        except sqlite3.Error:
            return 0

    def base(self, kind, stage, config, directory):
        path = os.path.join(self.scratch, directory)
        database.folded(os.path.join(path, "campaign.sqlite"))
        with open(os.path.join(self.scratch, config), "rb") as file:
            return Base(kind, stage, file.read(), path)

    def reopen(self, directory, old, new):
        """Turns a campaign that ended after few rounds into one of more rounds that was interrupted by a loss of power:
        realizations in work are held by a process that is dead."""
        path = os.path.join(self.scratch, directory, "campaign.sqlite")
        database.folded(path)
        schema, types = database.loosen(path)
        tables = database.Tables(path, schema, types)
        for row in tables.rows("campaign"):
            text = row["config"].replace(b"max_rounds = %d\n" % old, b"max_rounds = %d\n" % new)
            assert text != row["config"]
            tables.replace("campaign", row, tables.refit("campaign", row | {"config": Text(text)}))
        worker = {"id": 7, "host": Text(b"node"), "backend": Text(b"cpu"), "pid": 2**22 + 1, "process_start": 1,
                  "started": 1700000000000, "heartbeat": 1700000001000, "expires": 1700000061000, "rounds": 2, "updates": 1e6}
        tables.insert("workers", tables.refit("workers", worker | {"checksum": 0}))
        tables.connection.execute("UPDATE sqlite_sequence SET seq = 7 WHERE name = 'workers'")
        for i, row in enumerate(tables.rows("realizations")):
            changed = row | {"status": Text([b"producing", b"equilibrating"][i % 2]), "reason": Text(b"")}
            if i < 2:
                changed |= {"worker": 7, "attempt": row["attempt"] + 1}
            tables.replace("realizations", row, tables.refit("realizations", changed))
        tables.close()
        database.set_journal(path, 2)


def make_bases(workshop):
    scratch = workshop.scratch
    bases = [base for kind in KINDS for base in workshop.kind(kind)]
    for base in bases:  # each must end as the campaign that nobody disturbed
        base.put(os.path.join(scratch, "check"))
        if base.stage == HALF:
            digests = workshop.run(f"{base.kind}.cfg", "check").splitlines()
            if digests != base.final:
                raise SystemExit(f"The half finished campaign {base.name} does not end as the one that was not interrupted.")
        workshop.call("verify", "check")
        shutil.rmtree(os.path.join(scratch, "check"))
    return bases
