/** A contract in Tolk that refuses every message but `Init`, and that one above level 99: an empty one deploys it all the same. */
export const pickySource = `struct Storage { level: uint8 }
struct (0x00000055) Init { level: uint8 }
type Incoming = Init
fun onInternalMessage(in: InMessage) {
  val msg = lazy Incoming.fromSlice(in.body);
  match (msg) {
    Init => {
      assert (msg.level < 100) throw 77;
      contract.setData(Storage { level: msg.level }.toCell());
    }
    else => throw 0xFFFF,
  }
}
get fun level(): int { return Storage.fromCell(contract.getData()).level; }
`;
