import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { argumentError } from '../../../src/cli/argumentError';
import { keepNegativeNumbers } from '../../../src/cli/commandLine';
import { LineStream, errorLine, errorText, exitStatusOf } from '../../../src/cli/output';
import { readBocArgument } from '../../../src/cli/readBocArgument';
import { withLocalHint } from '../../../src/cli/networkOptions';
import { WorkbenchError } from '../../../src/toolkit/base/errors';

describe('cli: the contract of every command', () => {
  it('exits with the status for the kind of error', () => {
    const kinds = ['failed', 'input', 'network', 'service', 'internal'] as const;
    assert.deepEqual(kinds.map(exitStatusOf), [1, 2, 3, 4, 1]);
  });

  it('prints an error as one line with only code and message, the next step included', () => {
    const error = new WorkbenchError({
      code: 'not-found',
      kind: 'input',
      message: 'First line\nsecond.',
      hint: 'Do this.',
      details: { secret: 'no' },
    });
    assert.ok(!errorLine(error).includes('\n'));
    assert.deepEqual(JSON.parse(errorLine(error)), {
      code: 'not-found',
      message: 'First line\nsecond. Do this.',
    });
  });

  it('tells people an error in sentences, the next step on a line of its own', () => {
    const parts = { code: 'not-found', kind: 'input', message: 'There is no\u202e such thing.' } as const;
    assert.equal(
      errorText(new WorkbenchError({ ...parts, hint: 'Do this.' })),
      'error: There is no\\u{202e} such thing. (not-found)\nDo this.',
    );
    assert.match(errorText(new WorkbenchError({ ...parts, details: { offset: 4 } })), /^error: Position 5: /);
  });

  it('names the position of an error in the input', () => {
    const error = new WorkbenchError({
      code: 'argument-invalid',
      kind: 'input',
      message: 'Wrong.',
      details: { offset: 4 },
    });
    assert.deepEqual(JSON.parse(errorLine(error)), {
      code: 'argument-invalid',
      message: 'Position 5: Wrong.',
    });
  });

  it('names the argument with the error instead of its position in the joined text', () => {
    const told = (offset: number, ...args: string[]): string => {
      const details = { offset };
      const error = new WorkbenchError({
        code: 'stack-text-invalid',
        kind: 'input',
        message: 'Wrong.',
        details,
      });
      return (JSON.parse(errorLine(argumentError(error, args) as WorkbenchError)) as { message: string })
        .message;
    };
    assert.equal(told(0, 'alise', '2'), 'Argument 1 (alise): Wrong.');
    assert.equal(told(6, 'alise', '2x'), 'Argument 2 (2x): Wrong.');
    assert.equal(told(2, '[1, alise]'), 'Argument 1 ([1, alise]), position 3: Wrong.');
    assert.equal(told(0), 'Wrong.');
  });

  it('distinguishes negative numbers from options', () => {
    assert.deepEqual(keepNegativeNumbers(['run', '-1', '-0x2a', '-1.5ton', '-n', '--json', '-.5ton', '-']), [
      'run',
      ' -1',
      ' -0x2a',
      ' -1.5ton',
      '-n',
      '--json',
      ' -.5ton',
      '-',
    ]);
  });

  it('says how to start the local network if nothing is listening, and only for that network', () => {
    const unreachable = (origin: string): WorkbenchError =>
      new WorkbenchError({
        code: 'unreachable',
        kind: 'network',
        message: 'm',
        hint: 'h',
        details: { origin },
      });
    assert.match(withLocalHint(unreachable('http://127.0.0.1:8081')).hint ?? '', /ton-workbench localnet/);
    assert.equal(withLocalHint(unreachable('https://toncenter.com')).hint, 'h');
  });

  it('reads the code from a compiled.json', async () => {
    const directory = await mkdtemp(path.join(tmpdir(), 'ton-workbench-boc-'));
    try {
      const hex = 'b5ee9c7201010101000200000';
      const file = path.join(directory, 'counter.compiled.json');
      await writeFile(file, JSON.stringify({ hash: '00', hashBase64: 'AA==', hex: `${hex}0` }));
      assert.equal((await readBocArgument(file)).cellCount, 1);
      await writeFile(file, '{"abi": {}}');
      await assert.rejects(readBocArgument(file), { code: 'build-unreadable' });
    } finally {
      await rm(directory, { recursive: true });
    }
  });
});

describe('cli: lines to a possibly slow reader', () => {
  it('are written while the backlog is small, then counted; the count is printed when the reader continues', async () => {
    const stream = new PassThrough({ highWaterMark: 100 });
    const lines = new LineStream(stream, (count) => `left out ${count}\n`, 200);
    for (let index = 0; index < 1000; index++) {
      lines.write(`line ${index}\n`);
      assert.ok(stream.writableLength <= 200 + 20);
    }
    let text = '';
    stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    for (let turn = 0; turn < 10; turn++) {
      await new Promise(setImmediate);
    }
    lines.write('after\n');
    stream.end();
    await new Promise((resolve) => stream.once('end', resolve));
    const shown = text.trimEnd().split('\n');
    const leftOut = Number(/^left out (\d+)$/.exec(shown.at(-2) ?? '')?.[1]);
    assert.equal(shown.at(-1), 'after');
    assert.deepEqual(
      shown.slice(0, -2),
      Array.from({ length: 1000 - leftOut }, (_, index) => `line ${index}`),
    );
  });
});
