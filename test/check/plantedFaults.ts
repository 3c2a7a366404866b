/** A file that breaks one rule of .oxlintrc.json. */
export interface PlantedFault {
  rule: string;
  /** Relative to the clone; `src/planted.ts` if left out. */
  file?: string;
  code: string;
}

const toolkit = 'src/toolkit/planted.ts';
const script = 'scripts/planted.mjs';

/** At least one for each rule that is on, and one for each way to break it that must not be forgotten. */
export const plantedFaults: readonly PlantedFault[] = [
  { rule: 'eqeqeq', code: 'export const isSame = (a: string, b: string): boolean => a == b;' },
  { rule: 'eqeqeq', file: script, code: 'export const isNode = process.title == "node";' },
  { rule: 'no-array-constructor', code: 'export const list: number[] = new Array(1, 2);' },
  { rule: 'no-unused-vars', code: 'const unused = 1;' },
  { rule: 'no-unused-vars', code: 'export const first = (a: number, b: number): number => a;' },
  { rule: 'no-unused-vars', code: 'try { Math.abs(1); } catch (error) { Math.abs(2); }' },
  { rule: 'no-unused-vars', code: "import type { Server } from 'node:net';" },
  { rule: 'no-unused-vars', file: script, code: 'const unused = 1;' },
  { rule: 'no-var', code: 'export var one = 1;' },
  { rule: 'prefer-const', code: 'let one = 1; export const two = one + 1;' },
  { rule: 'prefer-rest-params', code: 'export function all(): unknown { return arguments; }' },
  {
    rule: 'prefer-spread',
    code: 'export const most = (list: number[]): number => Math.max.apply(Math, list);',
  },
  { rule: 'no-unused-expressions', code: 'export const f = (a: number): void => { a === 1; };' },
  {
    rule: 'no-unused-expressions',
    code: 'export const f = (a: boolean, g: () => void): void => { a && g(); };',
  },
  {
    rule: 'no-unused-expressions',
    code: 'export const f = (a: boolean, g: () => void): void => { a ? g() : g(); };',
  },
  { rule: 'no-unused-expressions', file: script, code: 'process.title === "a";' },
  { rule: 'no-console', code: "console.log('one');" },
  { rule: 'no-console', file: 'src/webview/planted.tsx', code: "console.error('one');" },

  { rule: 'typescript/await-thenable', code: 'export async function f(): Promise<void> { await 1; }' },
  { rule: 'typescript/await-thenable', file: script, code: 'await 1;' },
  { rule: 'typescript/ban-ts-comment', code: '// @ts-ignore\nexport const one = 1;' },
  { rule: 'typescript/ban-ts-comment', code: '// @ts-nocheck\nexport const one = 1;' },
  { rule: 'typescript/ban-ts-comment', code: '// @ts-expect-error\nexport const one: string = 1;' },
  { rule: 'typescript/no-duplicate-enum-values', code: 'enum E { A = 1, B = 1 }\nexport const a = E.A;' },
  { rule: 'typescript/no-empty-object-type', code: 'export type T = {};' },
  { rule: 'typescript/no-empty-object-type', code: 'export interface T {}' },
  { rule: 'typescript/no-explicit-any', code: 'export type T = any;' },
  {
    rule: 'typescript/no-extra-non-null-assertion',
    code: 'export const f = (a: { b: string } | null): string => a!!.b;',
  },
  { rule: 'typescript/no-floating-promises', code: 'Promise.resolve(1);' },
  {
    rule: 'typescript/no-floating-promises',
    code: 'const f = async (): Promise<number> => await Promise.resolve(1);\nf().then(Math.abs);',
  },
  { rule: 'typescript/no-floating-promises', file: script, code: 'Promise.resolve(1);' },
  { rule: 'typescript/no-floating-promises', file: 'test/planted.ts', code: 'Promise.resolve(1);' },
  { rule: 'typescript/no-misused-new', code: 'export interface I { new (): I }' },
  { rule: 'typescript/no-misused-new', code: 'export declare class C { constructor(); new(): C }' },
  { rule: 'typescript/no-misused-promises', code: 'export const one = Promise.resolve(true) ? 1 : 2;' },
  {
    rule: 'typescript/no-misused-promises',
    code: '[1].forEach(async (one) => { await Promise.resolve(one); });',
  },
  {
    rule: 'typescript/no-misused-promises',
    code: 'export const f: { done: () => void } = { done: async () => { await Promise.resolve(1); } };',
  },
  {
    rule: 'typescript/no-misused-promises',
    file: script,
    code: '[1].forEach(async (one) => { await Promise.resolve(one); });',
  },
  { rule: 'typescript/no-namespace', code: 'export namespace N { export const one = 1; }' },
  {
    rule: 'typescript/no-non-null-asserted-optional-chain',
    code: 'export const f = (a?: { b: string }): string => a?.b!;',
  },
  { rule: 'typescript/no-require-imports', code: "export const fs: unknown = require('node:fs');" },
  {
    rule: 'typescript/no-require-imports',
    code: "import fs = require('node:fs');\nexport const f = fs.readFileSync;",
  },
  {
    rule: 'typescript/no-this-alias',
    code: 'export class C { f(): unknown { const self = this; return self; } }',
  },
  {
    rule: 'typescript/no-unnecessary-type-constraint',
    code: 'export const f = <T extends unknown>(a: T): T => a;',
  },
  {
    rule: 'typescript/no-unsafe-declaration-merging',
    code: 'export interface C { one: 1 }\nexport class C { two = 2; }',
  },
  { rule: 'typescript/no-unsafe-function-type', code: 'export type T = Function;' },
  { rule: 'typescript/no-wrapper-object-types', code: 'export type T = String;' },
  { rule: 'typescript/prefer-as-const', code: "export const one = 'one' as 'one';" },
  {
    rule: 'typescript/prefer-namespace-keyword',
    code: 'declare module N { const one: 1 }\nexport const two = N.one;',
  },
  {
    rule: 'typescript/triple-slash-reference',
    code: '/// <reference path="./other.ts" />\nexport const one = 1;',
  },

  { rule: 'import/no-default-export', code: 'export default 1;' },
  { rule: 'import/no-default-export', file: 'test/planted.ts', code: 'export default class {}' },
  { rule: 'no-restricted-imports', code: "import { fetch } from 'undici';\nexport const get = fetch;" },
  { rule: 'no-restricted-imports', code: "import type { Agent } from 'undici';\nexport type T = Agent;" },
  { rule: 'no-restricted-imports', code: "export { fetch } from 'undici';" },
  {
    rule: 'no-restricted-imports',
    file: toolkit,
    code: "import { fetch } from 'undici';\nexport const get = fetch;",
  },
  {
    rule: 'no-restricted-imports',
    file: 'test/planted.ts',
    code: "import { fetch } from 'undici';\nexport const get = fetch;",
  },
  {
    rule: 'no-restricted-imports',
    file: toolkit,
    code: "import { setTimeout } from 'node:timers/promises';\nexport const wait = setTimeout;",
  },
  {
    rule: 'no-restricted-imports',
    file: toolkit,
    code: "import { setInterval as every } from 'node:timers/promises';\nexport const tick = every;",
  },
  {
    rule: 'no-restricted-imports',
    file: toolkit,
    code: "import * as timers from 'node:timers/promises';\nexport const wait = timers.setTimeout;",
  },
  { rule: 'no-restricted-globals', file: toolkit, code: 'export const wait = setTimeout;' },
  { rule: 'no-restricted-globals', file: toolkit, code: 'setInterval(() => undefined, 1);' },
  { rule: 'no-restricted-properties', file: toolkit, code: 'export const env = process.env;' },
  { rule: 'no-restricted-properties', file: toolkit, code: "export const home = process.env['HOME'];" },
  { rule: 'no-restricted-properties', file: toolkit, code: 'export const { env } = process;' },
  { rule: 'no-restricted-properties', file: toolkit, code: 'export const now = Date.now;' },
  {
    rule: 'no-restricted-properties',
    file: 'src/cli/planted.ts',
    code: 'export const here = process.cwd();',
  },
  {
    rule: 'no-restricted-properties',
    file: 'src/cli/planted.ts',
    code: "import path from 'node:path';\nexport const at = path.resolve('a');",
  },
  { rule: 'no-restricted-properties', file: toolkit, code: 'export const now = performance.now();' },

  {
    rule: 'typescript/consistent-type-imports',
    code: "import { Server } from 'node:net';\nexport type T = Server;",
  },
  {
    rule: 'typescript/consistent-type-imports',
    code: "import { createServer, Server } from 'node:net';\nexport type T = Server;\nexport const f = createServer;",
  },
  { rule: 'typescript/consistent-type-imports', code: "export type T = import('node:net').Server;" },
  { rule: 'typescript/explicit-module-boundary-types', code: 'export function one() { return 1; }' },
  { rule: 'typescript/explicit-module-boundary-types', code: 'export const one = () => 1;' },
  { rule: 'typescript/explicit-module-boundary-types', code: 'export class C { one() { return 1; } }' },
  { rule: 'typescript/no-array-delete', code: 'export const f = (a: number[]): boolean => delete a[0];' },
  { rule: 'typescript/no-base-to-string', code: 'export const f = (a: { b: 1 }): string => String(a);' },
  { rule: 'typescript/no-base-to-string', code: 'export const f = (a: { b: 1 }): string => a.toString();' },
  { rule: 'typescript/no-duplicate-type-constituents', code: 'export type T = 1 | 1;' },
  {
    rule: 'typescript/no-for-in-array',
    code: 'export const f = (a: number[]): void => { for (const i in a) { Math.abs(Number(i)); } };',
  },
  { rule: 'typescript/no-implied-eval', code: "export const f = new Function('return 1');" },
  { rule: 'typescript/no-implied-eval', code: "setTimeout('1', 1);" },
  { rule: 'typescript/no-redundant-type-constituents', code: "export type T = string | 'one';" },
  { rule: 'typescript/no-redundant-type-constituents', code: 'export type T = unknown | string;' },
  { rule: 'typescript/no-unnecessary-type-assertion', code: 'export const f = (a: string): string => a!;' },
  {
    rule: 'typescript/no-unnecessary-type-assertion',
    code: 'export const f = (a: string): string => a as string;',
  },
  { rule: 'typescript/no-unsafe-argument', code: "Math.abs(JSON.parse('1'));" },
  { rule: 'typescript/no-unsafe-assignment', code: "export const one: number = JSON.parse('1');" },
  {
    rule: 'typescript/no-unsafe-assignment',
    code: "const [one] = JSON.parse('[1]');\nMath.abs(Number(one));",
  },
  { rule: 'typescript/no-unsafe-call', code: "JSON.parse('1')();" },
  {
    rule: 'typescript/no-unsafe-enum-comparison',
    code: 'enum E { A = 1 }\nexport const f = (e: E): boolean => e === 1;',
  },
  { rule: 'typescript/no-unsafe-member-access', code: "export const one = String(JSON.parse('1').one);" },
  { rule: 'typescript/no-unsafe-return', code: "export const f = (): number => JSON.parse('1');" },
  { rule: 'typescript/no-unsafe-unary-minus', code: 'export const f = (a: string): number => -a;' },
  { rule: 'typescript/only-throw-error', code: "export const f = (): never => { throw 'one'; };" },
  {
    rule: 'typescript/prefer-promise-reject-errors',
    code: "export const f = (): Promise<void> => Promise.reject('one');",
  },
  {
    rule: 'typescript/prefer-promise-reject-errors',
    code: "export const f = (): Promise<void> => new Promise((_, reject) => { reject('one'); });",
  },
  { rule: 'typescript/require-await', code: 'export const f = async (): Promise<number> => 1;' },
  {
    rule: 'typescript/restrict-plus-operands',
    code: 'export const f = (a: bigint, b: number): unknown => a + b;',
  },
  {
    rule: 'typescript/restrict-template-expressions',
    code: 'export const f = (a: { b: 1 }): string => `${a}`;',
  },
  {
    rule: 'typescript/restrict-template-expressions',
    code: 'export const f = (a: string[]): string => `${a}`;',
  },
  {
    rule: 'typescript/switch-exhaustiveness-check',
    code: 'export const f = (a: 1 | 2): void => { switch (a) { case 1: break; } };',
  },
  {
    rule: 'typescript/unbound-method',
    code: 'export class C { one(): unknown { return this; } }\nexport const { one } = new C();',
  },
  {
    rule: 'typescript/unbound-method',
    code: 'export const f = (a: Map<string, string>): void => { [""].forEach(a.get); };',
  },
];
