#include "engine/starts/spins_file.hpp"

#include "tests/engine/config_fixture.hpp"

namespace glassworks { namespace {

using SpinsFile = ConfigTest;

/// What is written is read again to the bit, in other slots than those of the replicas' numbers too, and by chains of
/// fewer slots and copies.
TEST_F(SpinsFile, HoldsEveryBitOfEveryModel) {
  for (const char* keys :
       {"model.type = heisenberg", "model.type = ising", "model.type = ising\nmodel.site_dilution = 0.3",
        "model.type = potts\nmodel.q = 5", "model.type = blume-capel\nmodel.crystal_field = 1", "model.type = xy",
        "model.type = on\nmodel.n = 8", "model.type = phi4\nmodel.lambda = 1.5"}) {
    SCOPED_TRACE(keys);
    const Config config =
        load_config(write("a.cfg", std::string(keys) + "\nmodel.dim = 2\nmodel.L = 4\ndisorder.realizations = 1\n"
                                                       "ladder.T_min = 1\nladder.T_max = 2\nladder.slots = 3\n"),
                    {});
    const Chain chain = make_chain(config, 0);
    ChainState state = initial_state(chain, 2);
    if (chain.model.diluted) state.states[5] = 2;  // no spin
    const std::filesystem::path file = write("spins.txt", spins_text(chain, state, {1.0, 1.4, 2.0}, 2, 7));
    ChainState again = initial_state(chain, 3);
    EXPECT_NE(again, state);
    read_spins_file(file, spins_file_digest(file), chain, again);
    EXPECT_EQ(again, state);

    ChainState moved = state;
    std::swap(moved.slot[0], moved.slot[2]);
    Chain fewer = chain;
    fewer.beta.pop_back();
    fewer.copies = 1;
    ChainState some = initial_state(fewer, 3);
    read_spins_file(write("moved.txt", spins_text(chain, moved, {}, 2, 7)), "", fewer, some);
    const auto replicas = static_cast<std::size_t>(chain.replicas());
    const std::size_t floats = state.spins.size() / replicas, bytes = state.states.size() / replicas;
    EXPECT_TRUE(std::equal(some.spins.begin(), some.spins.begin() + static_cast<std::ptrdiff_t>(floats),
                           state.spins.begin() + static_cast<std::ptrdiff_t>(2 * floats)))
        << "slot 0 holds replica 2";
    EXPECT_TRUE(std::equal(some.states.begin(), some.states.begin() + static_cast<std::ptrdiff_t>(bytes),
                           state.states.begin() + static_cast<std::ptrdiff_t>(2 * bytes)));
  }
}

}}  // namespace glassworks
