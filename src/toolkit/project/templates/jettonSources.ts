/** A jetton in Tolk (TEP-74): the minter, its wallets, and what both share. */
export const jettonSources = {
  'jettonShared.tolk': `// What the minter and the wallets of the jetton share: storage and messages (TEP-74).

const ERROR_NOT_ADMIN = 73
const ERROR_NOT_OWNER = 705
const ERROR_NOT_ENOUGH_JETTONS = 706
const ERROR_NOT_FROM_WALLET = 707
const ERROR_UNKNOWN_MESSAGE = 0xFFFF

struct MinterStorage {
    totalSupply: coins
    /// Who may mint.
    admin: address
    /// TEP-64: name, symbol, decimals, and picture, as a cell.
    content: cell
    /// The code of jettonWallet.tolk: code JettonWallet.
    walletCode: cell
}

struct WalletStorage {
    balance: coins
    owner: address
    minter: address
}

/// Makes jettons for an owner; only the admin may send it.
struct (0x642b7d07) Mint {
    queryId: uint64 = 0
    to: address
    jettons: coins
    /// What the wallet of the owner gets for its fees.
    value: coins = ton("0.05")
}

/// Sends jettons to another owner; only the wallet's owner may send it.
struct (0x0f8a7ea5) Transfer {
    queryId: uint64 = 0
    jettons: coins
    to: address
    /// Who gets the coins that are left.
    excessesTo: address? = null
    custom: cell? = null
    /// Coins for telling the new owner.
    forwardValue: coins = 0
    forwardPayload: RemainingBitsAndRefs
}

struct (0x178d4519) InternalTransfer {
    queryId: uint64
    jettons: coins
    /// The owner who sends; null if they are new.
    from: address?
    excessesTo: address?
    forwardValue: coins
    forwardPayload: RemainingBitsAndRefs
}

struct (0x7362d09c) TransferNotification {
    queryId: uint64
    jettons: coins
    from: address?
    forwardPayload: RemainingBitsAndRefs
}

struct (0xd53276db) Excesses {
    queryId: uint64
}

/// Destroys jettons; only the wallet's owner may send it.
struct (0x595f07bc) Burn {
    queryId: uint64 = 0
    jettons: coins
    excessesTo: address? = null
    custom: cell? = null
}

struct (0x7bdd97de) BurnNotification {
    queryId: uint64
    jettons: coins
    owner: address
    excessesTo: address?
}

fun walletState(owner: address, minter: address, code: cell): ContractState {
    return { code, data: WalletStorage { balance: 0, owner, minter }.toCell() };
}

fun walletAddress(owner: address, minter: address, code: cell): address {
    return AutoDeployAddress { stateInit: walletState(owner, minter, code) }.calculateAddress();
}

fun sendExcesses(queryId: uint64, to: address?) {
    if (to == null) {
        return;
    }
    val excesses = createMessage({ bounce: false, value: 0, dest: to!, body: Excesses { queryId } });
    excesses.send(SEND_MODE_CARRY_ALL_REMAINING_MESSAGE_VALUE | SEND_MODE_IGNORE_ERRORS);
}
`,
  'jettonMinter.tolk': `import "jettonShared"

type MinterMessage = Mint | BurnNotification

fun onInternalMessage(in: InMessage) {
    // Plain coins, also those that deploy it.
    if (in.body.isEmpty()) {
        return;
    }
    var storage = MinterStorage.fromCell(contract.getData());
    val message = lazy MinterMessage.fromSlice(in.body);
    match (message) {
        Mint => {
            assert (in.senderAddress == storage.admin) throw ERROR_NOT_ADMIN;
            storage.totalSupply += message.jettons;
            contract.setData(storage.toCell());
            val minted = createMessage({
                bounce: true,
                value: message.value,
                dest: { stateInit: walletState(message.to, contract.getAddress(), storage.walletCode) },
                body: InternalTransfer {
                    queryId: message.queryId,
                    jettons: message.jettons,
                    from: null,
                    excessesTo: in.senderAddress,
                    forwardValue: 0,
                    forwardPayload: createEmptySlice(),
                },
            });
            minted.send(SEND_MODE_PAY_FEES_SEPARATELY);
        }
        BurnNotification => {
            val wallet = walletAddress(message.owner, contract.getAddress(), storage.walletCode);
            assert (in.senderAddress == wallet) throw ERROR_NOT_FROM_WALLET;
            storage.totalSupply -= message.jettons;
            contract.setData(storage.toCell());
            sendExcesses(message.queryId, message.excessesTo);
        }
        else => throw ERROR_UNKNOWN_MESSAGE
    }
}

fun onBouncedMessage(in: InMessageBounced) {
    in.bouncedBody.skipBouncedPrefix();
    // Jettons that did not arrive were not made.
    val message = lazy InternalTransferStart.fromSlice(in.bouncedBody);
    var storage = MinterStorage.fromCell(contract.getData());
    storage.totalSupply -= message.jettons;
    contract.setData(storage.toCell());
}

/// The beginning of an InternalTransfer: a bounced message has no more.
struct (0x178d4519) InternalTransferStart {
    queryId: uint64
    jettons: coins
}

struct JettonData {
    totalSupply: coins
    mintable: bool
    admin: address
    content: cell
    walletCode: cell
}

get fun get_jetton_data(): JettonData {
    val storage = MinterStorage.fromCell(contract.getData());
    return {
        totalSupply: storage.totalSupply,
        mintable: true,
        admin: storage.admin,
        content: storage.content,
        walletCode: storage.walletCode,
    };
}

get fun get_wallet_address(owner: address): address {
    val storage = MinterStorage.fromCell(contract.getData());
    return walletAddress(owner, contract.getAddress(), storage.walletCode);
}
`,
  'jettonWallet.tolk': `import "jettonShared"

type WalletMessage = Transfer | InternalTransfer | Burn

fun onInternalMessage(in: InMessage) {
    if (in.body.isEmpty()) {
        return;
    }
    var storage = WalletStorage.fromCell(contract.getData());
    val message = lazy WalletMessage.fromSlice(in.body);
    match (message) {
        Transfer => {
            assert (in.senderAddress == storage.owner) throw ERROR_NOT_OWNER;
            assert (storage.balance >= message.jettons) throw ERROR_NOT_ENOUGH_JETTONS;
            storage.balance -= message.jettons;
            contract.setData(storage.toCell());
            val transfer = createMessage({
                bounce: true,
                value: 0,
                dest: { stateInit: walletState(message.to, storage.minter, contract.getCode()) },
                body: InternalTransfer {
                    queryId: message.queryId,
                    jettons: message.jettons,
                    from: storage.owner,
                    excessesTo: message.excessesTo,
                    forwardValue: message.forwardValue,
                    forwardPayload: message.forwardPayload,
                },
            });
            transfer.send(SEND_MODE_CARRY_ALL_REMAINING_MESSAGE_VALUE);
        }
        InternalTransfer => {
            if (in.senderAddress != storage.minter) {
                assert (message.from != null) throw ERROR_NOT_FROM_WALLET;
                val wallet = walletAddress(message.from!, storage.minter, contract.getCode());
                assert (in.senderAddress == wallet) throw ERROR_NOT_FROM_WALLET;
            }
            storage.balance += message.jettons;
            contract.setData(storage.toCell());
            if (message.forwardValue > 0) {
                val notification = createMessage({
                    bounce: false,
                    value: message.forwardValue,
                    dest: storage.owner,
                    body: TransferNotification {
                        queryId: message.queryId,
                        jettons: message.jettons,
                        from: message.from,
                        forwardPayload: message.forwardPayload,
                    },
                });
                notification.send(SEND_MODE_PAY_FEES_SEPARATELY);
            }
            // Part of what came stays for the wallet's own storage fees.
            reserveToncoinsOnBalance(ton("0.01"), RESERVE_MODE_AT_MOST);
            if (message.excessesTo != null) {
                val excesses = createMessage({
                    bounce: false,
                    value: 0,
                    dest: message.excessesTo!,
                    body: Excesses { queryId: message.queryId },
                });
                excesses.send(SEND_MODE_CARRY_ALL_BALANCE | SEND_MODE_IGNORE_ERRORS);
            }
        }
        Burn => {
            assert (in.senderAddress == storage.owner) throw ERROR_NOT_OWNER;
            assert (storage.balance >= message.jettons) throw ERROR_NOT_ENOUGH_JETTONS;
            storage.balance -= message.jettons;
            contract.setData(storage.toCell());
            val burned = createMessage({
                bounce: true,
                value: 0,
                dest: storage.minter,
                body: BurnNotification {
                    queryId: message.queryId,
                    jettons: message.jettons,
                    owner: storage.owner,
                    excessesTo: message.excessesTo,
                },
            });
            burned.send(SEND_MODE_CARRY_ALL_REMAINING_MESSAGE_VALUE);
        }
        else => throw ERROR_UNKNOWN_MESSAGE
    }
}

fun onBouncedMessage(in: InMessageBounced) {
    in.bouncedBody.skipBouncedPrefix();
    // Jettons that did not arrive, or were not burned, are here again. Both messages begin alike.
    in.bouncedBody.loadUint(32 + 64);
    var storage = WalletStorage.fromCell(contract.getData());
    storage.balance += in.bouncedBody.loadCoins();
    contract.setData(storage.toCell());
}

struct WalletData {
    balance: coins
    owner: address
    minter: address
    code: cell
}

get fun get_wallet_data(): WalletData {
    val storage = WalletStorage.fromCell(contract.getData());
    return {
        balance: storage.balance,
        owner: storage.owner,
        minter: storage.minter,
        code: contract.getCode(),
    };
}
`,
} as const;
