#include "tools/glassworks/publication_check.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tools/published_folder_fixture.hpp"

namespace glassworks::testing { namespace {

const char* const configuration = "configuration/read.cfg";
const char* const couplings = "couplings/L004-r000000.txt";

TEST_F(PublicationCheckTest, AnUnchangedFolderHasNoProblems) {
  const PublicationCheck found = check(base(), 5);
  EXPECT_THAT(found.problems, IsEmpty());
  EXPECT_EQ(found.realizations, 2U);
  EXPECT_EQ(found.rounds, 8U);
  EXPECT_EQ(found.chosen, 2U);
}

TEST_F(PublicationCheckTest, FilesOfOtherKinds) {
  const fs::path outside = scratch_ / "outside";
  for (const std::string name : {digest_list_file, "manifest.json", "digests.csv", "temperatures.csv",
                                 "realizations.csv", "results.csv", configuration, couplings}) {
    const std::string of_file = fs::path(name).filename();
    fs::copy(base() / name, outside, fs::copy_options::overwrite_existing);
    if (name != digest_list_file) {
      expect_problem(name + " missing", name + " is missing", removed(name));
      expect_problem(name + " missing, signed", of_file + "|is not in the folder|configuration holds no",
                     also_signed(removed(name)));
    }
    expect_problem(name + " a link", name + ".*symbolic link", linked(name, outside));
    expect_problem(name + " a link, signed", name + ".*symbolic link", [&](const fs::path& folder) {
      linked(name, outside)(folder);
      if (name != digest_list_file) sign(folder);
    });
    expect_problem(name + " a dangling link", name + ".*symbolic link", linked(name, "nowhere"));
    expect_problem(name + " a link to a device", name + ".*symbolic link", linked(name, "/dev/zero"));
    expect_problem(name + " a FIFO", name + ".*FIFO",
                   replaced(name, [](const fs::path& file) { ASSERT_EQ(::mkfifo(file.c_str(), 0600), 0); }));
    expect_problem(name + " a socket", name + ".*socket", replaced(name, make_socket));
    expect_problem(name + " a folder", of_file + "|is missing|configuration holds no",
                   replaced(name, [](const fs::path& file) { fs::create_directory(file); }));
    bool has_devices = true;
    const auto zero = [&](const fs::path& file) {
      has_devices = ::mknod(file.c_str(), S_IFCHR | 0600, makedev(1, 5)) == 0;
    };
    expect_problem(name + " a device", name + (has_devices ? ".*device|missing|regular" : ""), replaced(name, zero));
    expect_problem(name + " of a TB", of_file + "|compared",
                   [&](const fs::path& folder) { fs::resize_file(folder / name, std::uintmax_t{1} << 40); });
    expect_problem(name + " empty", name + "|" + of_file, put(name, ""));
    expect_problem(name + " binary", name + "|" + of_file, put(name, std::string("\0\1\2\xff\n,,,\n", 9)));
    if (name == digest_list_file || name == "manifest.json" || name == "results.csv") continue;
    expect_problem(name + " empty, signed", of_file, also_signed(put(name, "")));
    expect_problem(name + " binary, signed", of_file, also_signed(put(name, std::string("\0\1\2\xff\n,,,\n", 9))));
    expect_problem(name + " UTF-16, signed", of_file, also_signed(put(name, "\xFF\xFEL\n")));
  }
  for (const std::string name : {"configuration", "couplings"}) {
    fs::copy(base() / name, scratch_ / ("outside-" + name), fs::copy_options::recursive);
    expect_problem(name + " missing", name + "/.* is missing", removed(name));
    expect_problem(name + " missing, signed", name, also_signed(removed(name)));
    expect_problem(name + " a link", name + " .*symbolic link", linked(name, scratch_ / ("outside-" + name)));
    expect_problem(name + " a link, signed", name + " .*symbolic link",
                   also_signed(linked(name, scratch_ / ("outside-" + name))));
    expect_problem(name + " a file", name, also_signed([&](const fs::path& folder) {
                     fs::remove_all(folder / name);
                     write(folder / name, "text");
                   }));
  }
  EXPECT_GE(cases_, 108);
}

TEST_F(PublicationCheckTest, ListsOfDigests) {
  const std::string list = published_contents(base() / digest_list_file);
  const std::string last = "# XXH3-128 of the lines above: ";
  const auto signed_list = [&](const std::string& text) {
    return put(digest_list_file, text + last + text_digest(text) + '\n');
  };
  const std::string lines = list.substr(0, list.find(last));
  expect_problem("its last line alone", "does not name digests.csv", signed_list(""));
  expect_problem("no last line", "its last line is not the digest", put(digest_list_file, lines));
  expect_problem("another last line", "its last line is not the digest", put(digest_list_file, list + last + "0\n"));
  expect_problem("a short line", "line 1 of .* is no digest and name", signed_list("abc\n" + lines));
  expect_problem("an empty line", "line 1 of .* is no digest and name", signed_list("\n" + lines));
  expect_problem("no name", "line 1 of .* is no digest and name", signed_list(std::string(32, 'a') + "\n" + lines));
  const std::string digest(32, '0');
  expect_problem("a name that leads out", "no file of the folder", signed_list(digest + "  ../outside\n" + lines));
  expect_problem("a name from the root", "no file of the folder", signed_list(digest + "  /etc/passwd\n" + lines));
  expect_problem("a name with a detour", "no file of the folder", signed_list(digest + "  a/../digests.csv\n" + lines));
  expect_problem("itself", "no file of the folder", signed_list(digest + "  DIGESTS.xxh128\n" + lines));
  expect_problem("a name twice", "twice", signed_list(lines + lines.substr(0, lines.find('\n') + 1)));
  expect_problem("a line less", "does not name configuration", [&](const fs::path& folder) {
    std::string text = lines;
    const std::size_t place = text.find(configuration) - 34;
    text.erase(place, text.find('\n', place) + 1 - place);
    signed_list(text)(folder);
  });
}

TEST_F(PublicationCheckTest, TablesThatAreNotWhole) {
  const auto digests = [&](const std::string& name, const std::string& pattern, const Change& change) {
    expect_problem("digests.csv: " + name, pattern, also_signed(change));
  };
  const std::string file = "digests.csv", digest(32, 'a');
  const auto is_early = [](const std::string& line, std::size_t) {
    return line.starts_with("4,0,1,") || line.starts_with("4,0,2,") || line.starts_with("4,0,4,") ||
           line.starts_with("4,1,1,") || line.starts_with("4,1,2,") || line.starts_with("4,1,4,");
  };
  digests("the heading alone", "no digest of the 6 rounds of realization 0",
          without_lines(file, [](const std::string&, std::size_t number) { return number > 0; }));
  digests("rows of five rounds and more alone", "digests.csv, line 2: .*has 6 rounds", without_lines(file, is_early));
  digests("no heading", "line 1: its heading", without_line(file, 0));
  digests("no first row", "line 2: ", without_line(file, 1));
  digests("a row less", "line 3: ", without_line(file, 2));
  digests("the last row less", "no digest of the 6 rounds of realization 1", without_line(file, 8));
  digests("a short row", "line 2: it has 3 fields, not 5", edited(file, "4,0,1,", "4,0,1\n4,0,1,"));
  digests("a long row", "more than 5 fields", edited(file, "4,0,1,", "4,0,1,,,,"));
  digests("an empty line", "line 2: it has 1 field", edited(file, "4,0,1,", "\n4,0,1,"));
  digests("a line without an end", "it has no end", appended(file, "4,1,6"));
  digests("an open quote", "it has no end", appended(file, "\"4,1,6\n"));
  for (const char* number : {"x", "", "-1", "0", "1.5", "99999999999999999999", " 1", "1e1"}) {
    digests(fmt::format("'{}' rounds", number), "no whole number",
            edited(file, "4,0,1,", fmt::format("4,0,{},", number)));
  }
  digests("more rounds", "has 6 rounds", appended(file, "4,1,8," + digest + ",\n"));
  digests("a row twice", "has 6 rounds", appended(file, "4,1,6," + digest + ",\n"));
  digests("another size", "no realization 0 at L = 6", edited(file, "4,0,1,", "6,0,1,"));
  digests("another realization", "no realization 7 at L = 4", edited(file, "4,0,1,", "4,7,1,"));
  digests("a negative size", "no whole number", edited(file, "4,0,1,", "-4,0,1,"));
  digests("a short digest", "is no digest", edited(file, "4,0,1,", "4,0,1,a,\n4,0,1,"));
  digests("an early state", "before the last round", edited(file, ",\n4,0,2", "," + digest + "\n4,0,2"));
  digests("other bins", "simulated again, have other bins", [&](const fs::path& folder) {
    const std::string text = published_contents(folder / file);
    const std::size_t place = text.find("4,0,4,") + 6;
    write(folder / file, std::string(text).replace(place, 32, digest));
  });
  digests("another last digest", "are not those of realizations.csv", [&](const fs::path& folder) {
    const std::string text = published_contents(folder / file);
    write(folder / file, std::string(text).replace(text.find("4,0,6,") + 6, 32, digest));
  });

  const auto ladder = [&](const std::string& name, const std::string& pattern, const Change& change) {
    expect_problem("temperatures.csv: " + name, pattern, also_signed(change));
  };
  const std::string T = "temperatures.csv";
  ladder("the heading alone", "has no size L = 4",
         without_lines(T, [](const std::string&, std::size_t number) { return number > 0; }));
  ladder("another size", "has no size L = 4|out of order", edited(T, "4,0,", "6,0,"));
  ladder("no first slot", "slot 0 is missing", without_line(T, 1));
  ladder("a slot twice", "out of order", edited(T, "4,1,", "4,0,"));
  ladder("a short row", "it has 2 fields", edited(T, "4,0,1\n", "4,0\n"));
  ladder("a large slot", "no whole number", edited(T, "4,0,", "4,99999999,"));
  for (const char* number : {"nan", "inf", "-1", "0", "x", "", "1e999", "3"}) {
    ladder(fmt::format("T = '{}'", number), "no number|do not ascend",
           edited(T, "4,0,1\n", fmt::format("4,0,{}\n", number)));
  }
  ladder("another temperature", "have other bins", edited(T, "4,0,1\n", "4,0,1.125\n"));
  ladder("a slot more", "have other bins", appended(T, "4,3,2.5\n"));

  const auto rows = [&](const std::string& name, const std::string& pattern, const Change& change) {
    expect_problem("realizations.csv: " + name, pattern, also_signed(change));
  };
  const std::string R = "realizations.csv";
  rows("a row less", "1 realizations, the configurations have 2", without_line(R, 1));
  rows("a row twice", "stands there twice", [&](const fs::path& folder) {
    const std::string text = published_contents(folder / R);
    const std::size_t place = text.find("\n4,0,") + 1;
    write(folder / R, text + text.substr(place, text.find('\n', place) + 1 - place));
  });
  rows("another size", "no configuration has realization 0 at L = 6", edited(R, "\n4,0,", "\n6,0,"));
  rows("fewer rounds", "has 5 rounds|rounds", edited(R, ",6,", ",5,"));
  rows("no rounds", "has 0 rounds", edited(R, ",6,", ",0,"));
  rows("a short row", "fields, not 12", edited(R, "\n4,0,", "\n4,0\n4,0,"));
}

TEST_F(PublicationCheckTest, ConfigurationsThatAskForSomethingElse) {
  const auto other = [&](const std::string& name, const std::string& pattern, const Change& change) {
    expect_problem(name, pattern, also_signed(change));
  };
  other("an unknown key", "is not a known key", appended(configuration, "model.x = 1\n"));
  other("a key twice", "given twice", appended(configuration, "model.L = 4\n"));
  other("another size", "no size L = 6|L006", edited(configuration, "model.L = 4", "model.L = 6"));
  other("an odd size", "cannot be used", edited(configuration, "model.L = 4", "model.L = -4"));
  other("more realizations", "is not in the folder",
        edited(configuration, "disorder.realizations = 2", "disorder.realizations = 10000000"));
  other("another seed", "have other bins", edited(configuration, "campaign.seed = ", "campaign.seed = 9"));
  other("a file outside", "is not in the folder", edited(configuration, "= ../couplings", "= ../../base/couplings"));
  other("a file from the root", "is not in the folder",
        edited(configuration, "= ../couplings", "= " + (base() / "couplings").string()));
  other("the same twice", "both configuration/more.cfg and configuration/read.cfg have",
        [](const fs::path& folder) { fs::copy(folder / configuration, folder / "configuration/more.cfg"); });
  other("work for years", "not simulated again: that takes more than", [](const fs::path& folder) {
    edited(configuration, "round.measurements = 4", "round.measurements = 1000000")(folder);
    edited(configuration, "sweeps_per_exchange = 1", "sweeps_per_exchange = 1000")(folder);
    edited(configuration, "exchanges_per_measurement = 10", "exchanges_per_measurement = 2000")(folder);
  });
  other("a step for years", "not simulated again: that takes about", [](const fs::path& folder) {
    edited(configuration, "sweeps_per_exchange = 1", "sweeps_per_exchange = 1000000")(folder);
    edited(configuration, "protocol.heatbath = 1", "protocol.heatbath = 1000")(folder);
  });
  other("a move for years", "not simulated again: that takes more than", [](const fs::path& folder) {
    edited(configuration, "sweeps_per_exchange = 1", "sweeps_per_exchange = 1000000")(folder);
    edited(configuration, "protocol.isoenergetic = 0", "protocol.isoenergetic = 1000000")(folder);
  });
  other("couplings of another lattice", "cannot be simulated again", put(couplings, "16 0 1\n"));
  other("couplings that were changed", "have other bins", put(couplings, "0 0 1\n"));
}

/// Nothing that was asked for and not compared is "no problem".
TEST_F(PublicationCheckTest, TimeIsLimited) {
  fs::copy(base(), scratch_ / "long", fs::copy_options::recursive);
  edited(configuration, "sweeps_per_exchange = 1", "sweeps_per_exchange = 1000000")(scratch_ / "long");
  edited(configuration, "protocol.heatbath = 1", "protocol.heatbath = 1000")(scratch_ / "long");
  sign(scratch_ / "long");
  const PublicationCheck found = check(scratch_ / "long", 2, 0.05);
  EXPECT_THAT(found.problems, Contains(ContainsRegex("2 of 2 realizations were not simulated again: that takes")));
  EXPECT_EQ(found.rounds, 0U);
}

/// Each campaign verifies alone, and so does the folder that has both: of another generator, of another start, and of
/// cluster updates.
TEST_F(PublicationCheckTest, CampaignsOfSeveralKindsInOneFolder) {
  campaign("plain", {"--disorder.first=10"});
  campaign("threefry", {"--disorder.first=20", "--campaign.generator=threefry4x32", "--backend.kind=reference"});
  campaign("annealed", {"--disorder.first=30", "--campaign.start=annealed"});
  call(publish_campaigns, {at("plain"), at("threefry"), at("annealed"), "--out=" + at("several")});
  PublicationCheck found = check(at("several"), 6);
  EXPECT_THAT(found.problems, IsEmpty());
  EXPECT_EQ(found.rounds, 24U);
  // Protocols differ where somebody has joined folders by hand: each chain has the backend that knows it.
  campaign("clusters", {"--disorder.first=40", "--protocol.kind=swendsen-wang", "--model.couplings=ferromagnet"});
  publish(at("clusters"), at("joined"));
  const fs::path joined = at("joined"), several = at("several");
  for (const auto& entry : fs::directory_iterator(several / "configuration")) {
    fs::copy(entry.path(), joined / "configuration" / entry.path().filename());
  }
  for (const std::string table : {"digests.csv", "realizations.csv"}) {
    const std::string text = published_contents(several / table);
    appended(table, text.substr(text.find('\n') + 1))(joined);
  }
  sign(joined);
  found = check(joined, 8);
  EXPECT_THAT(found.problems, IsEmpty());
  EXPECT_EQ(found.rounds, 32U);
}

/// The spins that histories begin with go along, whatever becomes of the campaign that they come from.
TEST_F(PublicationCheckTest, HoldsWhatHistoriesBeginWith) {
  campaign("before", {});
  campaign("after", {"--campaign.start=stored", "--campaign.start_from=" + at("before"), "--ladder.slots=2"});
  publish(at("after"), at("of_after"));
  fs::remove_all(at("before"));
  const PublicationCheck found = check(at("of_after"), 2);
  EXPECT_THAT(found.problems, IsEmpty());
  EXPECT_EQ(found.rounds, 8U);
  const std::string spins = "starts/L004-r000001.txt";
  // An odd site, whose spin decides on its neighbours before it is updated itself.
  const auto with_spin = [&](const std::string& spin) {
    std::string text = published_contents(fs::path(at("of_after")) / spins);
    const std::size_t line = text.find("\n0 0 1 "), end = text.find('\n', line + 1);
    const std::string before = text.substr(line + 7, end - line - 7);
    text.replace(line + 7, before.size(), spin.empty() ? (before == "1" ? "-1" : "1") : spin);
    write(fs::path(at("of_after")) / spins, text);
    sign(at("of_after"));
    return check(at("of_after"), 2).problems;
  };
  EXPECT_THAT(with_spin(""), Contains(ContainsRegex("realization 1 at L = 4.* have other bins")));
  EXPECT_THAT(with_spin("2"), Contains(ContainsRegex("L004-r000001.txt.*s = 2 is no spin of this model")));
  fs::remove(fs::path(at("of_after")) / spins);
  sign(at("of_after"));
  EXPECT_THAT(check(at("of_after"), 2).problems, Contains(ContainsRegex("starts/L004-r000001.txt.*not in the folder")));
}

}}  // namespace glassworks::testing
