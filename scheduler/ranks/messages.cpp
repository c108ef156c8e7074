#include "scheduler/ranks/messages.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "scheduler/ranks/message_archive.hpp"

namespace glassworks { inline namespace scheduler {
namespace {

// First byte of a message: who sends it. The second one is its index in the variant.
constexpr std::uint8_t from_worker = 'w', from_coordinator = 'c';

template <typename Message>
std::vector<std::byte> encode_message(std::uint8_t sender, const Message& message) {
  MessageWriter writer;
  writer(sender, static_cast<std::uint8_t>(message.index()));
  std::visit([&](const auto& alternative) { writer(alternative); }, message);
  return std::move(writer).bytes();
}

template <typename Message, std::size_t Index>
Message read_as(MessageReader& reader) {
  std::variant_alternative_t<Index, Message> alternative;
  reader(alternative);
  return Message(std::move(alternative));
}

template <typename Message, std::size_t... Index>
Message read_alternative(MessageReader& reader, std::uint8_t index, std::index_sequence<Index...>) {
  using Read = Message (*)(MessageReader&);
  static constexpr std::array<Read, sizeof...(Index)> alternatives{read_as<Message, Index>...};
  if (index >= alternatives.size()) throw std::runtime_error("unknown kind");
  return alternatives[index](reader);
}

template <typename Message>
Message decode_message(std::uint8_t expected, std::span<const std::byte> bytes) {
  std::string why;
  try {
    MessageReader reader(bytes);
    std::uint8_t sender = 0, index = 0;
    reader(sender, index);
    if (sender != expected) throw std::runtime_error("wrong sender");
    Message message =
        read_alternative<Message>(reader, index, std::make_index_sequence<std::variant_size_v<Message>>{});
    reader.finish();
    return message;
  } catch (const boost::archive::archive_exception&) {
    why = "it ends too early";
  } catch (const std::runtime_error& error) {
    why = error.what();
  }
  throw std::runtime_error(fmt::format(
      "a message of {} bytes from another rank cannot be read ({}). Start the same build of Glassworks on all ranks.",
      bytes.size(), why));
}

}  // namespace

std::vector<std::byte> encode(const FromWorker& message) { return encode_message(from_worker, message); }
std::vector<std::byte> encode(const FromCoordinator& message) { return encode_message(from_coordinator, message); }

FromWorker decode_from_worker(std::span<const std::byte> bytes) {
  return decode_message<FromWorker>(from_worker, bytes);
}
FromCoordinator decode_from_coordinator(std::span<const std::byte> bytes) {
  return decode_message<FromCoordinator>(from_coordinator, bytes);
}

}}  // namespace glassworks::scheduler
