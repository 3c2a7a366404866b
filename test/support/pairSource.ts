/** A contract that another one must know: two of them need each other, so neither can be deployed with the other's address. */
export const pairSource = `struct Storage {
  id: uint32
  peer: address?
  count: uint32
}
struct (0x00000031) SetPeer { peer: address }
struct (0x00000032) Increase { by: uint32 }
type PairMessage = SetPeer | Increase
fun onInternalMessage(in: InMessage) {
  if (in.body.isEmpty()) { return; }
  var kept = Storage.fromCell(contract.getData());
  val message = lazy PairMessage.fromSlice(in.body);
  match (message) {
    SetPeer => { kept.peer = message.peer; }
    Increase => { kept.count += message.by; }
    else => { throw 0xFFFF; }
  }
  contract.setData(kept.toCell());
}
get fun count(): int { return Storage.fromCell(contract.getData()).count; }
get fun peer(): address? { return Storage.fromCell(contract.getData()).peer; }
`;
