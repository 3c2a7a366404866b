/**
 * A counter contract in a variant of its own: a different step results in different code with the same
 * storage.
 */
export function counterSource(step: number): string {
  return `struct Storage { count: uint32 }
struct (0x00000021) Increase { by: uint32 }
fun onInternalMessage(in: InMessage) {
  if (in.body.isEmpty()) { return; }
  val message = Increase.fromSlice(in.body);
  var kept = Storage.fromCell(contract.getData());
  kept.count += message.by * ${step};
  contract.setData(kept.toCell());
}
get fun currentCounter(): int {
  return Storage.fromCell(contract.getData()).count;
}
`;
}
