/** A contract with a storage of several kinds of fields, two messages, and two get-methods. */
export const vaultSource = `
const ERR_NOT_ALLOWED = 777

/// What the vault keeps.
struct Storage { owner: address; limits: Cell<Limits>; guardians: map<address, uint32> }
struct Limits { daily: coins; single: coins = ton("1") }
struct (0x00000011) AddGuardian { queryId: uint64 = 0; who: address; weight: uint32 }
struct (0x00000012) Drop { who: address }
type Incoming = AddGuardian | Drop
fun onInternalMessage(in: InMessage) {
  val message = lazy Incoming.fromSlice(in.body);
  var kept = Storage.fromCell(contract.getData());
  match (message) {
    AddGuardian => { kept.guardians.set(message.who, message.weight); contract.setData(kept.toCell()); }
    Drop => { throw ERR_NOT_ALLOWED }
    else => { assert (in.body.isEmpty()) throw 0xFFFF }
  }
}
get fun weightOf(who: address): int {
  val found = Storage.fromCell(contract.getData()).guardians.get(who);
  return found.isFound ? found.loadValue() : 0;
}
get fun daily(): coins {
  return Storage.fromCell(contract.getData()).limits.load().daily;
}
`;
