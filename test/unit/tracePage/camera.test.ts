import assert from 'node:assert/strict';
import {
  beginning,
  fitting,
  regionOf,
  revealing,
  scalesOf,
  zoomed,
} from '../../../src/webview/tracePage/camera';
import type { Camera, Scales } from '../../../src/webview/tracePage/camera';

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
