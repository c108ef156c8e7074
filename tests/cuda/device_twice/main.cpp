#include <string>

#include "engine/config/config.hpp"
#include "tools/glassworks/failure.hpp"
#include "tools/glassworks/output.hpp"
#include "tools/glassworks/verbs.hpp"

/// `glassworks run` with every CUDA device listed twice, so that one device can play two that fail together: for
/// tools/gpu_check.sh. A new start of the program is one of this executable, which sees the devices that are left
/// twice.
int main(int argc, char** argv) {
  using namespace glassworks;
  prepare_process();
  int status = 1;
  try {
    if (argc < 3 || std::string(argv[1]) != "run") {
      throw InputError(
          InputFault::unknown, "run",
          "this command cannot be carried out (device_twice has no other than `run`). Use `device_twice run CONFIG`.");
    }
    CudaChoices choices;
    for (int time = 0; time < 2; ++time) {
      choices.devices.insert(choices.devices.end(), cuda_devices().begin(), cuda_devices().end());
    }
    status = run_campaign({argv + 2, argv + argc}, choices);
  } catch (...) {
    status = print_failure();
  }
  return finish_output(status);
}
