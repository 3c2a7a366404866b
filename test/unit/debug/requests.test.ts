import assert from 'node:assert/strict';
import { DebugClient } from '../../support/debugClient';

describe('requests of a debugger without what they need', () => {
  it('are refused in words that name it', async () => {
    const client = new DebugClient(() => Promise.reject(new Error('nothing is opened')));
    await client.request('initialize');
    for (const [command, args, missing] of [
      ['evaluate', {}, 'expression'],
      ['evaluate', { expression: 7 }, 'expression'],
      ['completions', { column: 1 }, 'text'],
      ['setBreakpoints', { breakpoints: [] }, 'source'],
      ['setFunctionBreakpoints', {}, 'breakpoints'],
      ['setInstructionBreakpoints', { breakpoints: null }, 'breakpoints'],
      ['breakpointLocations', { line: 1 }, 'source'],
      ['variables', {}, 'variablesReference'],
    ] as const) {
      await assert.rejects(client.request(command, args), {
        message: `The request ${command} needs ${missing}.`,
      });
    }
  });
});
