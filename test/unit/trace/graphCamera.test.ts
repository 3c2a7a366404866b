import assert from 'node:assert/strict';
import type { GraphNode } from '../../../src/protocol/traceGraph';
import { beginning, fitting, revealing } from '../../../src/webview/traceGraph/camera';
import type { Camera, Size } from '../../../src/webview/traceGraph/camera';
import { boxWidth, layoutGraph } from '../../../src/webview/traceGraph/layout';
import type { Layout } from '../../../src/webview/traceGraph/layout';

/** A sender with this many recipients. */
function fan(recipients: number): Layout {
  const node = (parent: number): GraphNode => ({ parent }) as GraphNode;
  return layoutGraph([node(-1), ...Array.from({ length: recipients }, () => node(0))], new Set());
}

function edges({ x, scale }: Camera, layout: Layout, size: Size): [left: number, right: number] {
  return [x, size.width - (x + layout.width * scale)];
}

describe('trace graph: where the window looks', () => {
  const size = { width: 900, height: 600 };

  it('fits a wide fan in the middle, not at the left', () => {
    const layout = fan(50);
    const fit = fitting(layout, size);
    const [left, right] = edges(fit, layout, size);
    assert.ok(Math.abs(left - right) < 1, `${left} and ${right}`);
    assert.ok(layout.height * fit.scale <= size.height - 48 + 1);
  });

  it('begins with all of a small graph, and with the first box of a large one', () => {
    assert.equal(beginning(fan(1), size).scale, 1);
    const { x, scale } = beginning(fan(50), size);
    assert.deepEqual([x, scale], [24, 1]);
  });

  it('follows the selected box when the pane gets narrow', () => {
    const layout = fan(1);
    const box = layout.byNode.get(1);
    const wide = beginning(layout, size);
    assert.equal(revealing(wide, box, size), wide);
    const narrow = { width: 400, height: 600 };
    const moved = revealing(wide, box, narrow);
    assert.ok(moved.x + ((box?.x ?? 0) + boxWidth) * moved.scale <= narrow.width);
  });
});
