import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { root } from '../../scripts/lib/root.mjs';
import type { WorkbenchError } from '../../src/toolkit/base/errors';
import { parseStackText } from '../../src/toolkit/stack/parseStackText';
import { printStackValue } from '../../src/toolkit/stack/stackValue';
import { lastError, runCommandLine } from '../support/commandLine';
import type { CommandLineRun } from '../support/commandLine';
import { startLocalnetHere } from '../support/localnetCommand';
import type { LocalnetCommand } from '../support/localnetCommand';
import { tillSource } from '../support/tillSource';

interface Block {
  document: string;
  /** One-based. */
  line: number;
  language: string;
  lines: string[];
}

/** The code blocks of a document. */
function blocksIn(document: string, text: string): Block[] {
  const blocks: Block[] = [];
  let open: Block | undefined;
  text.split('\n').forEach((line, index) => {
    const [, language] = /^```(\w*)/.exec(line) ?? [];
    if (language === undefined) {
      open?.lines.push(line);
    } else if (open === undefined) {
      open = { document, line: index + 2, language, lines: [] };
    } else {
      blocks.push(open);
      open = undefined;
    }
  });
  return blocks;
}

/** The rows of the table with these headings, without the code marks around a whole cell. */
function rowsOf(text: string, ...headings: string[]): string[][] {
  const lines = text.split('\n');
  const cells = (line: string): string[] =>
    line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim());
  const tables = lines.flatMap((line, index) =>
    headings.every((heading, at) => cells(line)[at] === heading) ? [index] : [],
  );
  assert.ok(tables.length > 0, headings.join());
  return tables.flatMap((start) => {
    const end = lines.findIndex((line, index) => index > start && !line.startsWith('|'));
    return lines.slice(start + 2, end < 0 ? undefined : end).map(cells);
  });
}

const bare = (cell: string): string => cell.replace(/^`(.*)`$/, '$1');

/** Ports of this machine vary. Everything else that does is `…` in a document. */
const withoutPorts = (text: string): string => text.replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:PORT');

/** What a document shows, as an expression: `…` is any text of a line; a line of it alone, any lines. */
function patternOf(lines: readonly string[]): RegExp {
  const parts = withoutPorts(lines.join('\n'))
    .trimEnd()
    .split(/(^…$|…)/m)
    .map((part, index) => (index % 2 === 0 ? part.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`) : part));
  return new RegExp(`^${parts.map((part) => (part === '…' ? '[^\\n]+?' : part)).join('')}$`);
}

const longRunning = ['localnet', 'payments', 'wallet'];

describe('what the documents show', () => {
  const documents = new Map<string, string>();
  let localnet: LocalnetCommand;
  let folder: string;
  let environment: NodeJS.ProcessEnv;

  const run = (args: readonly string[]): Promise<CommandLineRun> => runCommandLine(args, environment, folder);
  const json = async (...args: string[]): Promise<Record<string, unknown>> => {
    const { status, stdout, stderr } = await run([...args, '--json']);
    assert.equal(status, 0, stderr);
    return JSON.parse(stdout) as Record<string, unknown>;
  };
  const gasOf = async (...call: string[]): Promise<number> => Number((await json('run', ...call))['gasUsed']);
  const textOf = (document: string): string => documents.get(document) ?? '';
  const all = (): Block[] => [...documents].flatMap(([document, text]) => blocksIn(document, text));

  before(async () => {
    for (const file of ['README.md', 'examples/README.md']) {
      documents.set(file, await readFile(path.join(root, file), 'utf8'));
    }
    for (const file of await readdir(path.join(root, 'docs'))) {
      if (file.endsWith('.md')) {
        documents.set(`docs/${file}`, await readFile(path.join(root, 'docs', file), 'utf8'));
      }
    }
    folder = await mkdtemp(path.join(tmpdir(), 'tonwb-documents-'));
    await cp(path.join(root, 'examples'), folder, {
      recursive: true,
      filter: (file) => !/[\\/](?:node_modules|\.ton)$/.test(file),
    });
    await writeFile(path.join(folder, 'contracts/till.tolk'), tillSource);
    localnet = await startLocalnetHere();
    environment = { TON_LOCAL_V2: localnet.ready.v2, TON_LOCAL_V3: localnet.ready.v3 };
    await promisify(execFile)(process.execPath, [
      path.join(root, 'examples/scripts/deployCounter.mjs'),
      localnet.ready.v2,
    ]);
    const deployed = await run(['deploy', 'contracts/till.tolk', '--data', '{limit: 100}']);
    assert.equal(deployed.status, 0, deployed.stderr);
  });
  after(async () => {
    await localnet.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('are the call sheets that pass', async () => {
    // A plan for a public network is carried out in handOver.test.ts.
    const sheets = all().filter(
      ({ language, lines }) => language === 'toncall' && !lines.includes('@network testnet'),
    );
    assert.ok(sheets.length >= 2);
    for (const { document, line, lines } of sheets) {
      await writeFile(path.join(folder, 'shown.toncall'), lines.join('\n'));
      const { status, stdout, stderr } = await run(['run', 'shown.toncall']);
      assert.equal(status, 0, `${document}:${line}\n${stdout}${stderr}`);
    }
  });

  it('are the messages that can be sent', async () => {
    const messages = textOf('docs/call-sheets.md').match(/^send \w+ [^[\n]+$/gm) ?? [];
    assert.ok(messages.length > 3, messages.join('\n'));
    for (const message of messages.filter((line) => !/^send (?:Mine|Pot) /.test(line))) {
      const { status, stderr } = await run(['send', '--compose', message, '--dry-run']);
      assert.equal(status, 0, `${message}: ${stderr}`);
    }
  });

  it('is what commands print', async () => {
    await writeFile(path.join(folder, 'wrong.toncall'), wrongSheet);
    const consoles = all().filter(({ language }) => language === 'console');
    assert.ok(consoles.length > 3);
    for (const { document, line, lines } of consoles) {
      const starts = lines.flatMap((one, index) => (one.startsWith('$ ') ? [index] : []));
      for (const [index, start] of starts.entries()) {
        const command = lines[start]!;
        const shown = lines.slice(start + 1, starts[index + 1]);
        const [, program, ...args] = words(command);
        assert.equal(program, 'ton-workbench', `${document}:${line + start}`);
        const printed = longRunning.includes(args[0] ?? '')
          ? await firstLines(args, shown.length)
          : await whatPrints(args);
        const own = withoutPorts(printed).trimEnd();
        assert.match(own, patternOf(shown), `${document}:${line + start}: ${command}\n${own}`);
      }
    }
  });

  /** What stands on a terminal: the output, then the error. */
  async function whatPrints(args: readonly string[]): Promise<string> {
    const done = await run(args);
    if (done.status === 0) {
      return done.stdout;
    }
    const { code, message } = lastError(done);
    return `${done.stdout}${JSON.stringify({ code, message })}`;
  }

  /** Those of a command that runs until it is stopped. */
  async function firstLines(args: readonly string[], count: number): Promise<string> {
    const child = spawn(process.execPath, [path.join(root, 'dist/cli.js'), ...args, '--port', '0'], {
      cwd: folder,
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const ended = new Promise((resolve) => child.once('close', resolve));
    const lines: string[] = [];
    for await (const line of createInterface({ input: child.stdout })) {
      lines.push(line);
      if (lines.length === count) {
        child.kill('SIGTERM');
        break;
      }
    }
    await ended;
    return lines.join('\n');
  }

  it('is the answers of the example', async () => {
    const rows = rowsOf(textOf('examples/README.md'), 'method', 'arguments', 'answer');
    assert.equal(rows.length, 5);
    for (const [method = '', given = '', answer = ''] of rows) {
      const call = ['run', 'Counter', bare(method), ...(given === '' ? [] : [bare(given)])];
      const refused = /^refused before it runs: (.*)$/.exec(answer)?.[1];
      if (refused === undefined) {
        const { typed } = await json(...call);
        const { value } = typed as { value: unknown };
        const owner = /^`(\w+)`, by name$/.exec(answer)?.[1];
        assert.equal(String(value), owner === undefined ? bare(answer) : localnet.rawOf(owner), method);
      } else {
        const done = await run(call);
        assert.deepEqual([done.status, lastError(done).code], [2, 'stack-text-invalid']);
        assert.ok(lastError(done).message.includes(refused), lastError(done).message);
      }
    }
  });

  it('is every word that begins a value, a cell, or an item of b(…)', () => {
    const expected = (text: string): string[] => {
      try {
        parseStackText(text);
        return [];
      } catch (error) {
        return ((error as WorkbenchError).details['expected'] as string[] | undefined) ?? [];
      }
    };
    const page = textOf('docs/stack-text.md');
    for (const text of ['?', 'cell ', 'b(']) {
      const forms = expected(text);
      assert.ok(forms.length > 4, `${text}: ${forms.join()}`);
      for (const form of forms) {
        assert.ok(page.includes(form.replace('…', '')), `${text} ${form}`);
      }
    }
  });

  it('is the same as what stands beside it, in the tables of values', () => {
    const accounts = new Map(localnet.ready.accounts.map(({ name, address }) => [name, address]));
    const read = (text: string): string => parseStackText(text, { accounts }).map(printStackValue).join(' ');
    const rows = [
      ...rowsOf(textOf('docs/stack-text.md'), 'you write', 'which is the same as'),
      ...rowsOf(textOf('docs/stack-text.md'), 'item', 'which is the same as'),
    ];
    assert.ok(rows.length > 25);
    for (const [text = '', same = ''] of rows) {
      assert.equal(read(bare(text)), read(bare(same)), text);
    }
  });

  it('is the failure that a till tells', async () => {
    const { stdout } = await run([
      'send',
      '--compose',
      'Till Withdraw {amount: 500} 0.1ton from alice',
      '--anyway',
    ]);
    const [, verdict = '-'] = /the verdict \(`([^`]+)`\)/.exec(textOf('docs/source.md')) ?? [];
    assert.ok(stdout.includes(verdict), stdout);
    const [, values = '-'] = /`threw here: ([^`]+)`/.exec(textOf('docs/source.md')) ?? [];
    const { traces } = await json('account', 'Till', '--limit', '1');
    const [{ steps } = { steps: [] }] = traces as { steps: { hash: string; outcome: string }[] }[];
    const replayed = await json('replay', steps.find(({ outcome }) => outcome === 'failed')!.hash);
    const { values: known } = replayed['thrownAt'] as { values: { name: string; value: string }[] };
    assert.deepEqual(
      values.split(', '),
      known.map(({ name, value }) => `${name} = ${value}`),
    );
  });

  it('is the gas that the examples use', async () => {
    const own = await gasOf('Counter', 'currentCounter');
    const shown = /currentCounter\(\) = 42 on Counter, gas (\d+)/.exec(textOf('docs/source.md'));
    assert.equal(Number(shown?.[1]), own);
    const [, later, change] = /gas (\d+) \(\+(\d+)\)/.exec(textOf('docs/gas.md')) ?? [];
    assert.equal(Number(later) - Number(change), own);
    const baseline = JSON.parse(
      blocksIn('', textOf('docs/gas.md'))
        .find(({ language }) => language === 'json')
        ?.lines.join('\n') ?? '',
    ) as Record<
      string,
      number | { gas: number; lines: Record<string, Record<string, Record<string, number>>> }
    >;
    assert.equal(baseline['Counter currentCounter()'], own);
    const sent = await json('send', '--compose', 'Till Withdraw {amount: 50} 0.1ton from alice');
    const { steps } = sent['trace'] as { steps: { hash: string; account: string }[] };
    const saved = path.join(folder, 'gas-baseline.json');
    await run(['profile', steps[1]!.hash, '--save-baseline', saved]);
    const made = JSON.parse(await readFile(saved, 'utf8')) as typeof baseline;
    const [kept, measured] = [baseline, made].map((one) => one['Till Withdraw']);
    assert.ok(typeof kept === 'object' && typeof measured === 'object', JSON.stringify(made));
    assert.equal(kept.gas, measured.gas);
    for (const [file, functions] of Object.entries(kept.lines)) {
      for (const [name, lines] of Object.entries(functions)) {
        for (const [line, gas] of Object.entries(lines)) {
          assert.equal(measured.lines[file]?.[name]?.[line], gas, `${line}: ${JSON.stringify(measured)}`);
        }
      }
    }
  });
});

/** The sheet of the document that shows what is wrong with one. */
const wrongSheet = `@network local
send bob 0.1ton from alice
expect exit 0

### later
nobody seqno()
`;

/** The words of a command line; quotes keep spaces together. */
function words(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? '',
  );
}
