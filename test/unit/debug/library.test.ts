import assert from 'node:assert/strict';
import { DebugClient } from '../../support/debugClient';
import { debuggedMethod } from './support/debuggedMethod';
import type { DebuggedMethod } from './support/debuggedMethod';

const source = `
import "@stdlib/lisp-lists"
fun onInternalMessage(in: InMessage) {}
get fun sizes(count: int): int {
    var list = createEmptyList<int>();
    repeat (count) {
        list.prependHead(7);
    }
    assert (count < 99) throw 5;
    val size = list.calculateSize();
    return size + 1;
}
`;

describe('lines of the standard library in the debugger', () => {
  let debugged: DebuggedMethod;
  const lineOf = (text: string): number => source.split('\n').findIndex((line) => line.includes(text)) + 1;

  before(async () => {
    debugged = await debuggedMethod('sizes.tolk', source, ['sizes', 3n]);
  });

  /** A session at the line before the call of the library, which has no instruction of its own. */
  const beforeCall = async (): Promise<DebugClient> => {
    const client = await DebugClient.begun(debugged.program);
    const file = { path: debugged.file };
    await client.setBreakpoints(file, { line: lineOf('assert') });
    await client.moved('continue');
    assert.equal((await client.frame()).line, lineOf('assert'));
    await client.setBreakpoints(file);
    return client;
  };

  it('are stepped into and out of, forward and backward, and shown with their text', async () => {
    const client = await beforeCall();
    await client.moved('stepIn');
    const frame = await client.frame();
    assert.match(frame.name, /calculateSize \(inlined\)$/);
    assert.equal(frame.source?.name, '@stdlib/lisp-lists.tolk');
    assert.equal(frame.source?.path, undefined);
    // Its call has no instruction of its own; the source has only one between the lines that ran.
    assert.equal((await client.stack())[1]?.line, lineOf('calculateSize()'));
    const content = await client.content(frame);
    assert.match(content[frame.line - 1] ?? '', /var size = 0/);
    assert.match(content[0] ?? '', /standard library/i);
    await client.moved('next');
    const next = await client.frame();
    assert.match(content[next.line - 1] ?? '', /while \(/);
    assert.deepEqual(
      (await client.stack()).slice(0, -1).map(({ name }) => name.replace(/^.*\./, '')),
      ['calculateSize (inlined)', 'sizes'],
    );
    await client.moved('stepOut');
    assert.equal((await client.frame()).line, lineOf('return size + 1'));
    await client.moved('stepBack');
    await client.moved('stepBack');
    assert.equal((await client.frame()).source?.name, '@stdlib/lisp-lists.tolk');
  });

  it('begin where the line that calls them has a breakpoint', async () => {
    const client = await DebugClient.begun(debugged.program);
    const [set] = await client.setBreakpoints({ path: debugged.file }, { line: lineOf('calculateSize()') });
    assert.equal(set?.verified, true, set?.message);
    await client.moved('continue');
    const [inner, caller] = await client.stack();
    assert.match(inner?.name ?? '', /calculateSize \(inlined\)$/);
    assert.equal(caller?.line, lineOf('calculateSize()'));
  });

  it('are passed by a step over', async () => {
    const client = await beforeCall();
    await client.moved('next');
    assert.equal((await client.frame()).line, lineOf('return size + 1'));
  });

  it('have breakpoints, which say where they are never reached', async () => {
    const client = await beforeCall();
    await client.moved('stepIn');
    const frame = await client.frame();
    const content = await client.content(frame);
    const counting = content.findIndex((line) => line.includes('size += 1')) + 1;
    const empty = content.findIndex((line) => line.includes('fun lisp_list<T>.calculateReversed')) + 1;
    const [set, unset] = await client.setBreakpoints(frame.source!, { line: counting }, { line: empty });
    assert.equal(set?.verified, true, JSON.stringify(set));
    assert.deepEqual([unset?.verified, unset?.message], [false, 'No instruction comes from this line.']);
    for (const size of ['0', '1', '2']) {
      const { hitBreakpointIds } = await client.moved('continue');
      assert.deepEqual(hitBreakpointIds, [set?.id]);
      assert.equal((await client.scope('Locals')).get('size'), size);
    }
    // The same file in the next session has the same number, so that breakpoints in it stay.
    const later = await DebugClient.begun(debugged.program);
    const [again] = await later.setBreakpoints(frame.source!, { line: counting });
    assert.equal(again?.verified, true);
    await later.moved('continue');
    assert.equal((await later.frame()).line, counting);
  });

  it('are refused for sources that no session has', async () => {
    const client = await DebugClient.begun(debugged.program);
    for (const sourceReference of [7, 1_099, 0x1000_0000]) {
      await assert.rejects(client.request('source', { sourceReference }), /not part of the session/);
    }
  });
});
