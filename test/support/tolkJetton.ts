/** What all contracts of these jettons share: the messages of TEP-74 that minting takes, and how wallets are addressed. */
const shared = `
struct WalletStorage { balance: coins; owner: address; minter: address; }
struct (0x178d4519) InternalTransfer { queryId: uint64; jettons: coins; from: address?; excessesTo: address?; forwardValue: coins; forwardPayload: RemainingBitsAndRefs; }
struct (0x0000a5c0) Ask { queryId: uint64; to: address; jettons: coins; }
struct (0x0000a5c1) Agreed { queryId: uint64; to: address; jettons: coins; }
fun walletState(owner: address, minter: address, code: cell): ContractState {
    return { code, data: WalletStorage { balance: 0, owner, minter }.toCell() };
}
`;

/** @param credit what of \`message.jettons\` the wallet counts */
export function tolkWallet(credit = 'message.jettons'): string {
  return `${shared}
fun onInternalMessage(in: InMessage) {
    if (in.body.isEmpty()) { return; }
    val message = lazy InternalTransfer.fromSlice(in.body);
    var storage = WalletStorage.fromCell(contract.getData());
    assert (in.senderAddress == storage.minter) throw 707;
    storage.balance += ${credit};
    contract.setData(storage.toCell());
}
struct WalletData { balance: coins; owner: address; minter: address; code: cell; }
get fun get_wallet_data(): WalletData {
    val storage = WalletStorage.fromCell(contract.getData());
    return { balance: storage.balance, owner: storage.owner, minter: storage.minter, code: contract.getCode() };
}
`;
}

/** The minter's data: those of the others, and the hook that one of them asks. */
const minterStorage = `
struct Storage { supply: coins; admin: address?; content: cell; walletCode: cell; hook: address?; }
fun pass(to: address, walletCode: cell, value: coins, body: InternalTransfer, mode: int) {
    val minted = createMessage({ bounce: true, value, dest: { stateInit: walletState(to, contract.getAddress(), walletCode) }, body });
    minted.send(mode);
}
fun newJettons(queryId: uint64, jettons: coins): InternalTransfer {
    return { queryId, jettons, from: null, excessesTo: null, forwardValue: 0, forwardPayload: createEmptySlice() };
}
struct JettonData { supply: coins; mintable: bool; admin: address?; content: cell; walletCode: cell; }
get fun get_jetton_data(): JettonData {
    val storage = Storage.fromCell(contract.getData());
    return { supply: storage.supply, mintable: true, admin: storage.admin, content: storage.content, walletCode: storage.walletCode };
}
get fun get_wallet_address(owner: address): address {
    val storage = Storage.fromCell(contract.getData());
    return AutoDeployAddress { stateInit: walletState(owner, contract.getAddress(), storage.walletCode) }.calculateAddress();
}
`;

function minter(declarations: string, arms: string): string {
  return `${shared}${minterStorage}${declarations}
fun onInternalMessage(in: InMessage) {
    if (in.body.isEmpty()) { return; }
    var storage = Storage.fromCell(contract.getData());
    val message = lazy Message.fromSlice(in.body);
    match (message) {
${arms}
        else => throw 0xFFFF
    }
}
fun onBouncedMessage(in: InMessageBounced) {}
`;
}

/** The reference in Tolk: op 21 with the whole internal transfer in a cell. */
export const tolkReferenceMinter = minter(
  `struct (0x00000015) Mint { queryId: uint64; to: address; value: coins; transfer: Cell<InternalTransfer>; }
struct (0x00000003) ChangeAdmin { queryId: uint64; newAdmin: address; }
type Message = Mint | ChangeAdmin`,
  `        Mint => {
            assert (in.senderAddress == storage.admin!) throw 73;
            val transfer = message.transfer.load();
            storage.supply += transfer.jettons;
            contract.setData(storage.toCell());
            pass(message.to, storage.walletCode, message.value, transfer, SEND_MODE_PAY_FEES_SEPARATELY);
        }
        ChangeAdmin => {
            assert (in.senderAddress == storage.admin!) throw 73;
            storage.admin = message.newAdmin;
            contract.setData(storage.toCell());
        }`,
);

/** A minter that first asks a hook, and mints once the hook agrees. */
export const tolkHookedMinter = minter(
  `struct (0x642b7d07) Mint { queryId: uint64; to: address; jettons: coins; value: coins; }
type Message = Mint | Agreed`,
  `        Mint => {
            assert (in.senderAddress == storage.admin!) throw 73;
            val question = createMessage({ bounce: true, value: 0, dest: storage.hook!, body: Ask { queryId: message.queryId, to: message.to, jettons: message.jettons } });
            question.send(SEND_MODE_CARRY_ALL_REMAINING_MESSAGE_VALUE);
        }
        Agreed => {
            assert (in.senderAddress == storage.hook!) throw 74;
            storage.supply += message.jettons;
            contract.setData(storage.toCell());
            pass(message.to, storage.walletCode, 0, newJettons(message.queryId, message.jettons), SEND_MODE_CARRY_ALL_REMAINING_MESSAGE_VALUE);
        }`,
);

/** The hook: one byte says whether it agrees. */
export const tolkHook = `${shared}
fun onInternalMessage(in: InMessage) {
    if (in.body.isEmpty()) { return; }
    val message = Ask.fromSlice(in.body);
    assert (contract.getData().beginParse().loadUint(8) == 1) throw 401;
    val answer = createMessage({ bounce: true, value: 0, dest: in.senderAddress, body: Agreed { queryId: message.queryId, to: message.to, jettons: message.jettons } });
    answer.send(SEND_MODE_CARRY_ALL_REMAINING_MESSAGE_VALUE);
}
fun onBouncedMessage(in: InMessageBounced) {}
`;

/** A minter whose mint message nobody else has. */
export const tolkOwnMinter = minter(
  `struct (0x7e57aaaa) Mint { queryId: uint64; to: address; jettons: coins; }
struct (0x7e57aaab) Nothing { queryId: uint64; }
type Message = Mint | Nothing`,
  `        Mint => {
            pass(message.to, storage.walletCode, ton("0.1"), newJettons(message.queryId, message.jettons), SEND_MODE_PAY_FEES_SEPARATELY);
        }
        Nothing => {}`,
);
