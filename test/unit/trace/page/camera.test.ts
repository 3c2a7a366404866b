import assert from 'node:assert/strict';
import type { Camera, Region, Scales } from '../../../../src/webview/tracePage/flowLayout';
import {
  fitting,
  opening,
  regionOf,
  revealing,
  scalesOf,
  zoomed,
} from '../../../../src/webview/tracePage/flowLayout';

describe('page of a trace: where the window looks', () => {
  const size = { width: 900, height: 600 };

  it('fits a large picture in the middle', () => {
    const picture = { width: 4000, height: 1000 };
    const { x, y, scale } = fitting(picture, size);
    assert.ok(Math.abs(x - (size.width - (x + picture.width * scale))) < 1);
    assert.ok(Math.abs(y - (size.height - (y + picture.height * scale))) < 1);
  });

  it('fits what is far too wide or high by stretching it, all of it in sight', () => {
    for (const picture of [
      { width: 2_000_000, height: 392 },
      { width: 190, height: 440_000 },
      { width: 1_500_000, height: 340_000 },
    ]) {
      const camera = fitting(picture, size);
      const seen = regionOf(camera, size);
      assert.ok(seen.left <= 0 && seen.top <= 0, JSON.stringify(seen));
      assert.ok(seen.right >= picture.width && seen.bottom >= picture.height, JSON.stringify(seen));
      const { x, y } = scalesOf(camera);
      assert.ok(picture.width * x > 20 && picture.height * y > 20, JSON.stringify(camera));
    }
  });

  it('zooms a stretched picture around the pointer, until both directions are alike', () => {
    const at = { x: 300, y: 200 };
    let camera = fitting({ width: 2_000_000, height: 392 }, size);
    const under = ({ x, y }: Camera, scale: Scales): number[] => [(at.x - x) / scale.x, (at.y - y) / scale.y];
    const before = under(camera, scalesOf(camera));
    for (let step = 0; step < 60 && camera.scale < 0.5; step++) {
      camera = zoomed(camera, 1.25, at);
    }
    const scale = scalesOf(camera);
    assert.equal(scale.x, scale.y);
    under(camera, scale).forEach((place, index) =>
      assert.ok(Math.abs(place - before[index]!) < 1, String(place)),
    );
  });

  const part = (left: number, top: number): Region => ({ left, top, right: left + 200, bottom: top + 90 });
  const isSeen = (camera: Camera, { left, top, right, bottom }: Region): boolean => {
    const seen = regionOf(camera, size);
    return seen.left <= left && seen.top <= top && seen.right >= right && seen.bottom >= bottom;
  };

  it('opens with all of a small picture in the middle, no larger than it is', () => {
    const box = { width: 190, height: 40 };
    const { x, y, scale } = opening(box, size, { root: part(0, 0), current: part(0, 0) });
    assert.deepEqual({ x, y, scale }, { x: (900 - 190) / 2, y: (600 - 40) / 2, scale: 1 });
  });

  it('opens a large picture with its root and what the verdict is about, as large as both fit', () => {
    const picture = { width: 9000, height: 900 };
    const [root, near, far, last] = [part(0, 0), part(500, 400), part(1500, 400), part(8000, 400)];
    assert.equal(opening(picture, size, { root, current: root }).scale, 1);
    for (const current of [near, far]) {
      const camera = opening(picture, size, { root, current });
      assert.ok(isSeen(camera, root) && isSeen(camera, current), JSON.stringify(camera));
      assert.ok(camera.scale >= 0.4 && camera.scale <= 1, JSON.stringify(camera));
    }
    const camera = opening(picture, size, { root, current: last });
    assert.ok(isSeen(camera, last) && camera.scale === 1, 'too far from the root to be read with it');
  });

  it('follows what is selected when the pane gets narrow, and stays where it is otherwise', () => {
    const box = { left: 600, top: 20, right: 800, bottom: 60 };
    const wide = { x: 24, y: 24, scale: 1 };
    assert.equal(revealing(wide, box, size), wide);
    const narrow = { width: 400, height: 600 };
    const moved = revealing(wide, box, narrow);
    const seen = regionOf(moved, narrow);
    assert.ok(seen.left <= box.left && seen.right >= box.right);
    assert.equal(moved.y, wide.y);
  });

  it('shows where a part begins that is larger than the pane', () => {
    const box = { left: 100, top: 20, right: 800, bottom: 900 };
    const seen = regionOf(revealing({ x: 24, y: 24, scale: 1 }, box, { width: 400, height: 160 }), size);
    assert.deepEqual([seen.left, seen.top], [box.left, box.top]);
  });
});
