import assert from 'node:assert/strict';
import { foldReport } from '../../../src/toolkit/trace/report';
import { traceReport } from '../../../src/toolkit/trace/traceDocument';
import { transactionReport } from '../../../src/toolkit/trace/transactionText';
import { contextOf, recordedAnswer, recordedNames } from './fixtures';

describe('reports of traces and transactions in an editor', () => {
  for (const name of recordedNames) {
    const context = contextOf(recordedAnswer(name));
    const reports = [
      foldReport(traceReport(context)),
      ...context.model.nodes.map((node) => foldReport(transactionReport(node, context))),
    ];

    it(`${name}: the essentials come first, and every field of the answer is folded below them`, () => {
      for (const { text, folded } of reports) {
        const lines = text.split('\n');
        assert.ok(folded);
        assert.equal(lines[folded.start], 'All fields of the answer');
        assert.equal(folded.end, lines.length - 2, 'up to the last line');
        assert.ok(
          lines.slice(folded.start + 1, folded.end + 1).every((line) => line === '' || line.startsWith('  ')),
        );
        assert.ok(!lines.slice(0, folded.start).some((line) => /^ {2}(hash|trace_id|lt) /.test(line)));
      }
    });

    it(`${name}: a field's meaning is shown on hover, not beside the value`, () => {
      for (const { text, meanings } of reports) {
        const lines = text.split('\n');
        const line = lines.findIndex((one) => /^ {4}(total_fees|start_lt) /.test(one));
        assert.ok(line > 0);
        assert.match(meanings.get(line) ?? '', /collected by validators|logical time/);
        assert.ok(!lines[line]!.includes(meanings.get(line)!));
      }
    });

    it(`${name}: tables fit half a screen`, () => {
      for (const { text, folded } of reports) {
        const tables = text
          .split('\n')
          .slice(0, folded?.start)
          .filter((line) => /^(storage|compute|money|fees) /.test(line));
        assert.deepEqual(
          tables.filter((line) => line.length > 80),
          [],
        );
      }
    });
  }
});
