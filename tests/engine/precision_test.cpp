#include "engine/disorder/precision.hpp"

#include <gmock/gmock.h>

#include "tests/engine/config_fixture.hpp"
#include "tests/refusals.hpp"

/// Energies that single precision cannot resolve at a temperature are refused.
namespace glassworks { namespace {

class Precision : public RefusedConfigTest {
 protected:
  /// Dimers along a chain: couplings J at even sites.
  std::string dimers(const std::string& J, const std::string& T) const {
    std::string lines;
    for (int site = 0; site < 8; site += 2) lines += std::to_string(site) + " 0 " + J + "\n";
    write("J.txt", lines);
    return "[model]\ndim = 1\nL = 8\ncouplings = file\ncouplings_file = J.txt\n[disorder]\nrealizations = 2\n[ladder]\n"
           "temperatures = " +
           T + "\n";
  }
};

TEST_F(Precision, CouplingsOfAFile) {
  EXPECT_NO_THROW(load(dimers("100", "0.001")));
  EXPECT_NO_THROW(load(dimers("1e6", "10")));
  for (const char* J : {"101", "1e4", "-1e6"}) {
    EXPECT_THAT(loading(dimers(J, "0.001")), Refuses(InputFault::out_of_range, "T"));
  }
}

TEST_F(Precision, DrawnFields) {
  const auto with_field = [&](const char* kind, const char* strength) {
    return minimal_config + std::string("[replicas]\ncopies = 4\n[model]\nfield = ") + kind +
           "\nfield_strength = " + strength + "\n";
  };
  for (const char* kind : {"sphere", "gaussian", "box", "constant"}) {
    EXPECT_NO_THROW(load(with_field(kind, "10")));
    EXPECT_THAT(loading(with_field(kind, "1e6")), Refuses(InputFault::out_of_range, "T"));
  }
}

TEST_F(Precision, TheLowestTemperatureFitsEveryDrawnCoupling) {
  for (const char* dim : {"1", "2", "3", "4"}) {
    for (const char* kind : {"gaussian", "bimodal", "ferromagnet"}) {
      EXPECT_NO_THROW(load(minimal_config, {"ladder.T_min=0.001", "ladder.slots=64", std::string("model.dim=") + dim,
                                            std::string("model.couplings=") + kind}))
          << dim << ' ' << kind;
    }
  }
}

/// "Raise the lowest temperature" can be followed for the largest energies in the largest lattices.
TEST_F(Precision, TemperaturesReachAsHighAsTheLargestEnergiesAsk) {
  for (const char* model : {"type=heisenberg,dim=1,L=4096", "type=heisenberg,dim=4,L=32", "type=ising,dim=1,L=1048576",
                            "type=ising,dim=2,L=16384", "type=on,dim=3,L=512", "type=ising,dim=3,L=512,lattice=fcc"}) {
    std::string text =
        "[disorder]\nrealizations = 1\n[replicas]\ncopies = 2\n[model]\nfield = gaussian\nfield_strength = 1e6\n";
    for (const char c : std::string(model) + ",") text += c == ',' ? '\n' : c;
    EXPECT_THAT(loading(text, {"ladder.temperatures=1"}), Refuses(InputFault::out_of_range, "T").in_any_words())
        << model;
    EXPECT_NO_THROW(load(text, {"ladder.temperatures=1e5"})) << model;
  }
  EXPECT_NO_THROW(load(dimers("1e6", "1e6, 1e9"))) << "a thousand times the largest J";
}

TEST_F(Precision, SpecificHeatsOfLargeLattices) {
  const std::string ising =
      "[model]\ntype = ising\ndim = 2\nL = 16384\ncouplings = ferromagnet\n[disorder]\nrealizations = 1\n[ladder]\n"
      "temperatures = 0.001\n[protocol]\nkind = swendsen-wang\n";
  EXPECT_THAT(loading(ising), Refuses(InputFault::out_of_range, "T"));
  EXPECT_NO_THROW(load(ising, {"ladder.temperatures=0.1"}));
}

}}  // namespace glassworks
