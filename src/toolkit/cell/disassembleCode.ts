import { getMethodId } from '@ton/core';
import type { Cell } from '@ton/core';
import { WorkbenchError } from '../base/errors';
import { limits } from '../base/limits';
import { fromCoreCell } from './readBoc';

/** One method of a contract's code. */
interface CodeMethod {
  /** 0 receives internal messages, -1 external ones; get-methods have ids from 65,536. */
  id: number;
  /** Set if the id is that of a well-known method. */
  name: string | undefined;
  /** TVM assembly, one instruction per line. */
  text: string;
}

/** Disassembled code. */
export interface CodeListing {
  /** The whole code: what runs before a method is selected, with every method in it. */
  text: string;
  /** In the order of the code; empty if the code has no method dictionary. */
  methods: readonly CodeMethod[];
}

/** Contract code has a few hundred cells; expanding shared cells must not fill the memory. */
const mostCells = limits.disassembledCells.most;

/**
 * Code as TVM assembly. Loads the disassembler on the first call (about 80 ms).
 *
 * @throws WorkbenchError `code-not-readable` if the cell is not code, or is too large.
 */
export async function disassembleCode(code: Cell): Promise<CodeListing> {
  refuseLarge(code);
  const { Printer, decompileCell, print, printInstr } = await import('./tvmAssembly');
  try {
    const instructions = decompileCell(code);
    const methods = instructions.flatMap((instruction) => {
      if (instruction.$ !== 'DICTPUSHCONST' || instruction.arg1.$ !== 'DecompiledDict') {
        return [];
      }
      return instruction.arg1.methods.map(({ id, instructions: body }): CodeMethod => {
        const printer = new Printer(0);
        body.forEach((one) => {
          printInstr(printer, one);
          printer.append('\n');
        });
        return { id, name: methodNames.get(id), text: printer.build() };
      });
    });
    return { text: print(instructions), methods };
  } catch (cause) {
    throw notReadable('The disassembler does not understand this code.', cause);
  }
}

function refuseLarge(code: Cell): void {
  const boc = fromCoreCell(code);
  const sizes = new Float64Array(boc.cellCount).fill(1);
  for (let cell = boc.cellCount - 1; cell >= 0; cell--) {
    boc.references(cell).forEach((child) => (sizes[cell]! += sizes[child]!));
  }
  if (sizes[boc.roots[0]!]! > mostCells) {
    throw notReadable(`This code expands to more than ${mostCells.toLocaleString('en')} cells.`);
  }
}

const methodNames = new Map<number, string>([
  [0, 'recv_internal'],
  [-1, 'recv_external'],
  [-2, 'run_ticktock'],
  [-3, 'split_prepare'],
  [-4, 'split_install'],
  ...[
    'seqno',
    'get_public_key',
    'get_subwallet_id',
    'get_wallet_id',
    'is_signature_allowed',
    'get_extensions',
    'is_plugin_installed',
    'get_plugin_list',
    'processed?',
    'get_last_clean_time',
    'get_timeout',
    'get_jetton_data',
    'get_wallet_address',
    'get_wallet_data',
    'get_next_admin_address',
    'get_status',
    'get_collection_data',
    'get_nft_data',
    'get_nft_address_by_index',
    'get_nft_content',
    'royalty_params',
    'get_authority_address',
    'get_revoked_time',
    'get_editor',
    'get_sale_data',
    'get_auction_info',
    'dnsresolve',
    'get_domain',
    'get_last_fill_up_time',
    'get_multisig_data',
    'get_order_address',
    'get_order_data',
    'get_vesting_data',
    'get_whitelist',
    'is_whitelisted',
    'get_pool_data',
    'get_expected_outputs',
    'get_code_version',
    'supported_interfaces',
    'get_owner',
    'get_balance',
    'get_counter',
    'get_id',
    'counter',
    'owner',
  ].map((name): [number, string] => [getMethodId(name), name]),
]);

function notReadable(message: string, cause?: unknown): WorkbenchError {
  return new WorkbenchError({
    code: 'code-not-readable',
    kind: 'failed',
    message,
    hint: 'The cell tree still shows what the code contains.',
    cause,
  });
}
