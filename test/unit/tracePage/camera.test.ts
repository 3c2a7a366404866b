import assert from 'node:assert/strict';
import { beginning, fitting, regionOf, revealing } from '../../../src/webview/tracePage/camera';

describe('page of a trace: where the window looks', () => {
  const size = { width: 900, height: 600 };

  it('fits a large picture in the middle', () => {
    const picture = { width: 4000, height: 1000 };
    const { x, y, scale } = fitting(picture, size);
    assert.ok(Math.abs(x - (size.width - (x + picture.width * scale))) < 1);
    assert.ok(Math.abs(y - (size.height - (y + picture.height * scale))) < 1);
  });

  it('begins with all of a small picture, and with the upper left corner of a large one', () => {
    assert.equal(beginning({ width: 400, height: 300 }, size).scale, 1);
    assert.deepEqual(beginning({ width: 4000, height: 300 }, size), { x: 24, y: 24, scale: 1 });
  });

  it('follows what is selected when the pane gets narrow, and stays where it is otherwise', () => {
    const part = { left: 600, top: 20, right: 800, bottom: 60 };
    const wide = { x: 24, y: 24, scale: 1 };
    assert.equal(revealing(wide, part, size), wide);
    const narrow = { width: 400, height: 600 };
    const moved = revealing(wide, part, narrow);
    const seen = regionOf(moved, narrow);
    assert.ok(seen.left <= part.left && seen.right >= part.right);
    assert.equal(moved.y, wide.y);
  });
});
