/** Refuses more than its limit, in line 8. */
export const tillSource = `const ERR_OVER_LIMIT = 402
struct Storage { limit: uint32 }
struct (0x00000031) Withdraw { queryId: uint64 = 0; amount: uint32 }
fun onInternalMessage(in: InMessage) {
  if (in.body.isEmpty()) { return; }
  val message = Withdraw.fromSlice(in.body);
  var kept = Storage.fromCell(contract.getData());
  assert (message.amount <= kept.limit) throw ERR_OVER_LIMIT;
  kept.limit -= message.amount;
  contract.setData(kept.toCell());
}
get fun limit(): int {
  return Storage.fromCell(contract.getData()).limit;
}
`;
