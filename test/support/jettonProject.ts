/**
 * A jetton of a project's own: the opcodes of TEP-74, fields with other names than there, and a message for minting that no
 * standard has.
 */
export const jettonProject: Readonly<Record<string, string>> = {
  'shared.tolk': `struct WalletStorage { balance: coins; owner: address; minter: address; }
struct MinterStorage { totalSupply: coins; admin: address; walletCode: cell; content: cell; }
struct (0x0f8a7ea5) Transfer { queryId: uint64; amount: coins; to: address; responseTo: address?; custom: cell?; forwardTonAmount: coins; forwardPayload: RemainingBitsAndRefs; }
struct (0x178d4519) InternalTransfer { queryId: uint64; amount: coins; from: address?; responseTo: address?; forwardTonAmount: coins; forwardPayload: RemainingBitsAndRefs; }
struct (0x7362d09c) Notify { queryId: uint64; amount: coins; from: address; forwardPayload: RemainingBitsAndRefs; }
struct (0x642b7d07) Mint { queryId: uint64; to: address; value: coins; jettons: coins; }
const ERR_NOT_ENOUGH_JETTONS = 706
fun walletInit(owner: address, minter: address, code: cell): ContractState {
    return { code, data: WalletStorage { balance: 0, owner, minter }.toCell() };
}`,
  'jettonWallet.tolk': `import "shared"
type Msg = Transfer | InternalTransfer
fun onInternalMessage(in: InMessage) {
    val msg = lazy Msg.fromSlice(in.body);
    match (msg) {
        Transfer => {
            var st = lazy WalletStorage.fromCell(contract.getData());
            assert (in.senderAddress == st.owner) throw 705;
            assert (st.balance >= msg.amount) throw ERR_NOT_ENOUGH_JETTONS;
            st.balance -= msg.amount;
            contract.setData(st.toCell());
            val out = createMessage({ bounce: true, value: 0,
                dest: { stateInit: walletInit(msg.to, st.minter, contract.getCode()) },
                body: InternalTransfer { queryId: msg.queryId, amount: msg.amount, from: st.owner, responseTo: msg.responseTo, forwardTonAmount: msg.forwardTonAmount, forwardPayload: msg.forwardPayload } });
            out.send(SEND_MODE_CARRY_ALL_REMAINING_MESSAGE_VALUE);
        }
        InternalTransfer => {
            var st = lazy WalletStorage.fromCell(contract.getData());
            st.balance += msg.amount;
            contract.setData(st.toCell());
            if (msg.forwardTonAmount > 0) {
                val n = createMessage({ bounce: false, value: msg.forwardTonAmount, dest: st.owner, body: Notify { queryId: msg.queryId, amount: msg.amount, from: msg.from!, forwardPayload: msg.forwardPayload } });
                n.send(SEND_MODE_PAY_FEES_SEPARATELY);
            }
        }
        else => { assert (in.body.isEmpty()) throw 0xffff; }
    }
}
fun onBouncedMessage(in: InMessageBounced) {}
struct WalletData { jettonBalance: coins; owner: address; minter: address; code: cell }
get fun get_wallet_data(): WalletData {
    val st = WalletStorage.fromCell(contract.getData());
    return { jettonBalance: st.balance, owner: st.owner, minter: st.minter, code: contract.getCode() };
}
get fun free_balance(): coins { return WalletStorage.fromCell(contract.getData()).balance; }`,
  'jettonMinter.tolk': `import "shared"
type Msg = Mint
fun onInternalMessage(in: InMessage) {
    if (in.body.isEmpty()) { return; }
    val msg = lazy Mint.fromSlice(in.body);
    var st = lazy MinterStorage.fromCell(contract.getData());
    assert (in.senderAddress == st.admin) throw 73;
    st.totalSupply += msg.jettons;
    contract.setData(st.toCell());
    val out = createMessage({ bounce: true, value: msg.value,
        dest: { stateInit: walletInit(msg.to, contract.getAddress(), st.walletCode) },
        body: InternalTransfer { queryId: msg.queryId, amount: msg.jettons, from: null, responseTo: null, forwardTonAmount: 0, forwardPayload: createEmptySlice() } });
    out.send(SEND_MODE_PAY_FEES_SEPARATELY);
}
struct JettonData { totalSupply: coins; mintable: bool; admin: address; content: cell; walletCode: cell }
get fun get_jetton_data(): JettonData {
    val st = MinterStorage.fromCell(contract.getData());
    return { totalSupply: st.totalSupply, mintable: true, admin: st.admin, content: st.content, walletCode: st.walletCode };
}
get fun get_wallet_address(owner: address): address {
    val st = MinterStorage.fromCell(contract.getData());
    return AutoDeployAddress { stateInit: walletInit(owner, contract.getAddress(), st.walletCode) }.calculateAddress();
}`,
};
