import assert from 'node:assert/strict';
import { DebugClient } from '../../support/debugClient';
import { debuggedMethod } from './support/debuggedMethod';

const source = `
builder begin_cell() asm "NEWC";
cell end_cell(builder b) asm "ENDC";
slice begin_parse(cell c) asm "CTOS";
() recv_internal(slice body) impure { }
int parts(int count) method_id {
    slice rest = begin_cell().store_uint(count, 64).end_cell().begin_parse();
    int first = rest~load_uint(32);
    int second = rest~load_uint(32);
    int third = first + 2;
    throw_unless(403, second < third);
    return third;
}
`;

describe('variables of FunC that have left the stack', () => {
  it('say before which line they were seen if it may have changed them', async () => {
    const line = (text: string): number => source.split('\n').findIndex((one) => one.includes(text)) + 1;
    const { program } = await debuggedMethod('parts.fc', source, ['parts', 3n]);
    const client = await DebugClient.begun(program, {});
    assert.equal((await client.frame()).line, line('throw_unless(403'));
    const locals = await client.scope('Locals');
    assert.match(locals.get('rest') ?? '', new RegExp(`\\(last seen before line ${line('int second')}\\)$`));
    assert.match(locals.get('first') ?? '', /^0 \(last seen\)$/);
  });
});
