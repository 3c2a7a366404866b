import { methodIdOf } from '../../contracts/abi/methodIdOf';
import { readTokenContent } from '../../cell/tokenContent';
import type { TokenContent } from '../../cell/tokenContent';
import { visibleText } from '../../base/text';
import { knownDecimals, usdtMaster } from '../../webhook/values/asset';
import { ApiError } from '../api/apiError';
import { parseAddress } from '../api/requestParameters';
import { executeGetMethod } from '../chain/executeGetMethod';
import type { LocalChain } from '../chain/localChain';
import { readToken } from '../tokens/readToken';
import type { Tokens } from '../tokens/tokenIndex';
import { namesOn } from './nameContract';

/** A jetton as its own master describes it. */
export interface FoundJetton {
  /** Its master, raw. */
  jetton: string;
  /** Who may mint; raw. Null if nobody is named. */
  admin: string | null;
  mintable: boolean;
  /** For people; null if the master does not say. */
  symbol: string | null;
  /** Null if they are kept off the chain. */
  decimals: number | null;
}

const dataMethod = methodIdOf('get_jetton_data');
/** TEP-64, for content on the chain that does not say. */
const usualDecimals = 9;
/** Symbols that are listed if the wanted one is not among them. */
const mostListed = 10;
/** Main-network jettons whose master does not keep the symbol on the chain: a fork of it has them. */
const famousMasters: ReadonlyMap<string, string> = new Map([
  ['usdt', usdtMaster],
  ['usd₮', usdtMaster],
]);

/**
 * A jetton by its master's address or name, or by a symbol that a master on this network keeps on the chain.
 * @throws ApiError 422 if there is none, or several have the symbol
 */
export async function findJetton(chain: LocalChain, tokens: Tokens, text: string): Promise<FoundJetton> {
  const address = parseAddress(namesOn(chain).get(text.replace(/^@/, '')) ?? text);
  if (address !== null) {
    const found = await readJetton(chain, address);
    if (found === undefined) {
      throw new ApiError(
        422,
        `jetton ${visibleText(text, 80)} is no jetton's master: it has no get_jetton_data of TEP-74`,
      );
    }
    return found;
  }
  const wanted = text.toLowerCase();
  await tokens.refresh();
  const known = await Promise.all(
    [...tokens.addresses('jetton-master')].map((one) => readJetton(chain, one)),
  );
  const jettons = known.filter((one) => one !== undefined);
  const [found, ...others] = jettons.filter(({ symbol }) => symbol?.toLowerCase() === wanted);
  if (others.length > 0) {
    const masters = [found, ...others].map((one) => one?.jetton).join(', ');
    throw new ApiError(
      422,
      `several jettons have the symbol ${visibleText(text, 24)}, so give the master's address: ${masters}`,
    );
  }
  const famous = chain.fork === undefined ? undefined : famousMasters.get(wanted);
  const master = famous === undefined ? null : parseAddress(famous);
  const result = found ?? (master === null ? undefined : await readJetton(chain, master));
  if (result === undefined) {
    throw new ApiError(422, noSuchJetton(chain, text, jettons));
  }
  return result.symbol === null ? { ...result, symbol: text } : result;
}

function noSuchJetton({ fork }: LocalChain, text: string, jettons: readonly FoundJetton[]): string {
  const symbols = jettons.flatMap(({ symbol }) => symbol ?? []).slice(0, mostListed);
  const listed = symbols.length === 0 ? '' : ` (known symbols: ${symbols.join(', ')})`;
  const hint =
    fork === undefined && symbols.length === 0 ? ' (ton-workbench new jetton writes one to deploy)' : '';
  const where = fork === undefined ? 'on this network' : 'among the accounts that this fork has read so far';
  return `there is no jetton with the symbol ${visibleText(text, 24)} ${where}${listed}, so give the address of its master${hint}`;
}

/** Undefined if the account does not answer as a jetton's master. */
async function readJetton(chain: LocalChain, master: string): Promise<FoundJetton | undefined> {
  const { exitCode, stack } = await executeGetMethod(chain, master, dataMethod, []);
  const token = exitCode === 0 ? readToken('jetton-master', stack) : null;
  if (token?.kind !== 'jetton-master') {
    return undefined;
  }
  const content = readTokenContent(token.content);
  const symbol = visibleText(content.attributes['symbol'] ?? '', 24);
  return {
    jetton: master,
    admin: token.admin,
    mintable: token.mintable,
    symbol: symbol === '' ? null : symbol,
    decimals: decimalsOf(content) ?? knownDecimals(master) ?? null,
  };
}

function decimalsOf({ layout, attributes, isCut }: TokenContent): number | undefined {
  const { decimals, uri } = attributes;
  if (decimals === undefined) {
    return layout === 'onchain' && uri === undefined && isCut !== true ? usualDecimals : undefined;
  }
  return /^\d{1,3}$/.test(decimals) && Number(decimals) <= 255 ? Number(decimals) : undefined;
}
