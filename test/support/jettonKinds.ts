import assert from 'node:assert/strict';
import path from 'node:path';
import { JettonMinter } from '@ton-community/assets-sdk';
import { Address, Cell, beginCell, contractAddress } from '@ton/core';
import { runTolkCompiler } from '@ton/tolk-js';
import { root } from '../../scripts/lib/root.mjs';
import type { FuncCompiler } from '../../src/toolkit/build/mapTact';
import { projectCompiler } from '../../src/toolkit/build/projectCompiler';
import { jettonSources } from '../../src/toolkit/project/templates/jettonSources';
import { funcMinter, funcWallet, governedChecks } from './funcJetton';
import { jettonProject } from './jettonProject';
import { onChainContent } from './onChainContent';
import { tolkHook, tolkHookedMinter, tolkOwnMinter, tolkReferenceMinter, tolkWallet } from './tolkJetton';

/** Code and data of a contract. */
export interface Init {
  code: Cell;
  data: Cell;
}

/** What a jetton to deploy begins with. */
export interface JettonWish {
  admin: Address | null;
  content: Cell;
}

/** The contracts of a jetton, its minter last. */
type MakeJetton = (wish: JettonWish) => Promise<Init[]>;

// It comes with a package of the tests.
const compiler = projectCompiler(
  path.join(root, 'test/support/jettonKinds.ts'),
  '@ton-community/func-js',
) as FuncCompiler;
const codes = new Map<string, Promise<Cell>>();

/** Compiles each source once. */
function kept(key: string, compile: () => Promise<Cell>): Promise<Cell> {
  const code = codes.get(key) ?? compile();
  codes.set(key, code);
  return code;
}

function funcCode(source: string): Promise<Cell> {
  return kept(source, async () => {
    const built = await compiler.compileFunc({ targets: ['main.fc'], sources: () => source });
    assert.ok(built.status === 'ok', built.status === 'error' ? built.message : '');
    return Cell.fromBase64(built.codeBoc);
  });
}

function tolkCode(sources: Readonly<Record<string, string>>, entry: string): Promise<Cell> {
  return kept(`${entry} ${sources[entry]}`, async () => {
    const read = (name: string): string => sources[name] ?? sources[`${name}.tolk`] ?? assert.fail(name);
    const built = await runTolkCompiler({ entrypointFileName: entry, fsReadCallback: read });
    assert.ok(built.status === 'ok', built.status === 'error' ? built.message : '');
    return Cell.fromBase64(built.codeBoc64);
  });
}

function minterData({ admin }: JettonWish, ...cells: Cell[]): Cell {
  const data = beginCell().storeCoins(0).storeAddress(admin);
  cells.forEach((cell) => data.storeRef(cell));
  return data.endCell();
}

function func(opcode: string, checks?: string): MakeJetton {
  return async (wish) => {
    const [code, walletCode] = [await funcCode(funcMinter(opcode, checks)), await funcCode(funcWallet)];
    return [{ code, data: minterData(wish, wish.content, walletCode) }];
  };
}

/** @param isCodeFirst of the two cells in the minter's data */
function tolkFiles(sources: Readonly<Record<string, string>>, isCodeFirst = false): MakeJetton {
  return async (wish) => {
    const code = await tolkCode(sources, 'jettonMinter.tolk');
    const cells = [wish.content, await tolkCode(sources, 'jettonWallet.tolk')];
    return [{ code, data: minterData(wish, ...(isCodeFirst ? cells.reverse() : cells)) }];
  };
}

function tolk(minter: string, wallet = tolkWallet(), agrees?: boolean): MakeJetton {
  return async ({ admin, content }) => {
    const [code, walletCode] = [
      await tolkCode({ 'minter.tolk': minter }, 'minter.tolk'),
      await tolkCode({ 'wallet.tolk': wallet }, 'wallet.tolk'),
    ];
    const hooks =
      agrees === undefined
        ? []
        : [
            {
              code: await tolkCode({ 'hook.tolk': tolkHook }, 'hook.tolk'),
              data: beginCell().storeUint(Number(agrees), 8).endCell(),
            },
          ];
    const hook = hooks[0] === undefined ? null : contractAddress(0, hooks[0]);
    const data = beginCell().storeCoins(0).storeAddress(admin).storeRef(content).storeRef(walletCode);
    return [...hooks, { code, data: data.storeAddress(hook).endCell() }];
  };
}

/** Jettons that mint what they are told, each in its own way. */
export const plainJettons: Readonly<Record<string, MakeJetton>> = {
  'reference, FunC': func('21'),
  'governed, FunC': func('0x642b7d07', governedChecks),
  'reference, Tolk': tolk(tolkReferenceMinter),
  'hooked, Tolk': tolk(tolkHookedMinter, tolkWallet(), true),
  'the template of new contracts, Tolk': tolkFiles(jettonSources),
  'other order of fields, Tolk': tolkFiles(jettonProject, true),
  'the published minter of assets-sdk': ({ admin, content }) => {
    const { init } = JettonMinter.createFromConfig({ admin: admin ?? assert.fail(), content });
    return Promise.resolve([init ?? assert.fail()] as Init[]);
  },
};

/** Jettons that do not. */
export const oddJettons = {
  /** The wallet keeps one percent of what comes. */
  taxed: tolk(tolkReferenceMinter, tolkWallet('message.jettons - message.jettons / 100')),
  /** Its hook refuses with exit code 401. */
  closed: tolk(tolkHookedMinter, tolkWallet(), false),
  /** Its mint message is no known one. */
  own: tolk(tolkOwnMinter),
} satisfies Record<string, MakeJetton>;

/** Content with a symbol and decimals on the chain. */
export function contentOf(symbol: string, decimals = '6'): Cell {
  return onChainContent({ symbol, decimals });
}

/** Raw address of a contract. */
export function addressOfInit(init: Init): string {
  return contractAddress(0, init).toRawString();
}

/** A raw address as @ton/core has it. */
export function adminOf(raw: string): Address {
  return Address.parseRaw(raw);
}
