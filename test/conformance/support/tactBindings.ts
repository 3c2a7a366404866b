import { createRequire } from 'node:module';
import path from 'node:path';
import * as core from '@ton/core';
import type { Builder, Cell } from '@ton/core';
import { ModuleKind, transpileModule } from 'typescript';
import { installClients } from '../../../scripts/lib/installClients.mjs';

/** The compiler's output for a contract. */
export interface TactBuild {
  package: string;
  abi: string;
  /** Its TypeScript wrapper, loaded. */
  wrapper: Record<string, unknown>;
}

interface Compiler {
  run: (parameters: object) => Promise<{ ok: boolean; error?: object }>;
}

/** Blueprint's counter in Tact, as its template creates it. */
export async function counterTemplate(): Promise<string> {
  const { readFile } = await import('node:fs/promises');
  const templates = path.join(await installClients(), 'node_modules/@ton/blueprint/dist/templates');
  const text = await readFile(path.join(templates, 'tact/counter/contracts/contract.tact.template'), 'utf8');
  return text.slice(text.indexOf('\n') + 1).replaceAll('{{name}}', 'Counter');
}

/** The contracts of a Tact source, compiled by @tact-lang/compiler, by name. */
export async function buildTact(source: string): Promise<Map<string, TactBuild>> {
  const load = createRequire(path.join(await installClients(), 'package.json'));
  const { run } = load('@tact-lang/compiler/dist/browser.js') as Compiler;
  const files: Record<string, string> = { 'source.tact': Buffer.from(source).toString('base64') };
  const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
  const { ok, error } = await run({
    config: { projects: [{ name: 'project', path: 'source.tact', output: 'out' }] },
    files,
    logger: quiet,
  });
  if (!ok) {
    throw new Error(
      `The Tact compiler refuses it: ${Object.values(error ?? {})
        .map(String)
        .join('; ')}`,
    );
  }
  const text = (name: string): string =>
    Buffer.from(files[`out/project_${name}`] ?? '', 'base64').toString('utf8');
  const names = Object.keys(files).flatMap((file) => /^out\/project_(.+)\.pkg$/.exec(file)?.[1] ?? []);
  return new Map(
    names.map((name) => [
      name,
      { package: text(`${name}.pkg`), abi: text(`${name}.abi`), wrapper: loadWrapper(text(`${name}.ts`)) },
    ]),
  );
}

function loadWrapper(source: string): Record<string, unknown> {
  const { outputText } = transpileModule(source, { compilerOptions: { module: ModuleKind.CommonJS } });
  const wrapper: Record<string, unknown> = {};
  // oxlint-disable-next-line typescript/no-implied-eval -- the compiler's own output, just created
  const evaluate = new Function('require', 'exports', outputText) as (...given: unknown[]) => void;
  evaluate(() => core, wrapper);
  return wrapper;
}

/** The cell that the wrapper stores a value in. */
export function storedBy({ wrapper }: TactBuild, name: string, value: unknown): Cell {
  const store = wrapper[`store${name}`] as (value: unknown) => (builder: Builder) => void;
  return core.beginCell().store(store(value)).endCell();
}
