import assert from 'node:assert/strict';
import type { SharedServiceState } from '../../../src/toolkit/base/errors';
import { SharedService, WorkbenchError } from '../../../src/toolkit/base/errors';

interface Start {
  signal: AbortSignal;
  succeed(name: string): void;
  fail(error: Error): void;
}

/** A service whose starts succeed and fail when the test says so. */
class Scene {
  readonly starts: Start[] = [];
  readonly stopped: string[] = [];
  readonly states: SharedServiceState['kind'][] = [];
  readonly service = new SharedService<string>({
    start: (signal) =>
      new Promise((resolve, reject) => this.starts.push({ signal, succeed: resolve, fail: reject })),
    stop: (name) => {
      this.stopped.push(name);
      return Promise.resolve();
    },
    onState: ({ kind }) => this.states.push(kind),
  });

  /** The start of that number, as soon as it has begun. */
  async start(index: number): Promise<Start> {
    await settled();
    const start = this.starts[index];
    assert.ok(start !== undefined, `start ${index} has not begun`);
    return start;
  }
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const isAborted = (error: unknown): boolean => WorkbenchError.is(error, 'aborted');

describe('a shared service', () => {
  let scene: Scene;
  beforeEach(() => (scene = new Scene()));

  it('is started once for everyone who needs it', async () => {
    const [one, other] = [scene.service.ensureRunning(), scene.service.ensureRunning()];
    (await scene.start(0)).succeed('first');
    assert.deepEqual(
      [await one, await other, await scene.service.ensureRunning()],
      ['first', 'first', 'first'],
    );
    assert.equal(scene.starts.length, 1);
  });

  it('lets one caller cancel at once and continues to start for the others', async () => {
    const controller = new AbortController();
    const patient = scene.service.ensureRunning();
    const hasty = scene.service.ensureRunning(controller.signal);
    const start = await scene.start(0);
    controller.abort();
    await assert.rejects(hasty, isAborted);
    assert.equal(start.signal.aborted, false);
    start.succeed('first');
    assert.equal(await patient, 'first');
    assert.deepEqual(scene.stopped, []);
  });

  it('cancels the start if nobody is waiting any more, and stops it if it still comes up', async () => {
    const controllers = [new AbortController(), new AbortController()];
    const callers = controllers.map(({ signal }) => scene.service.ensureRunning(signal));
    const start = await scene.start(0);
    controllers.forEach((controller) => controller.abort());
    await Promise.all(callers.map((caller) => assert.rejects(caller, isAborted)));
    assert.equal(start.signal.aborted, true);
    assert.equal(scene.service.isStarted, false);
    start.succeed('late');
    await scene.service.stop();
    assert.deepEqual(scene.stopped, ['late']);
    assert.equal(scene.states.at(-1), 'stopped');
  });

  it('does not start for a caller that has already canceled', async () => {
    await assert.rejects(scene.service.ensureRunning(AbortSignal.abort()), isAborted);
    await settled();
    assert.equal(scene.starts.length, 0);
  });

  it('keeps running if a caller cancels after the start', async () => {
    const controller = new AbortController();
    const caller = scene.service.ensureRunning(controller.signal);
    (await scene.start(0)).succeed('first');
    await caller;
    controller.abort();
    assert.equal(await scene.service.ensureRunning(), 'first');
    assert.deepEqual(scene.stopped, []);
  });

  it('starts again only after the previous one has ended', async () => {
    const first = scene.service.ensureRunning(new AbortController().signal);
    const before = await scene.start(0);
    const stopping = scene.service.stop();
    const second = scene.service.ensureRunning();
    await settled();
    assert.equal(scene.starts.length, 1);
    before.succeed('first');
    await Promise.all([first, stopping]);
    (await scene.start(1)).succeed('second');
    assert.equal(await second, 'second');
    assert.deepEqual(scene.stopped, ['first']);
    assert.equal(scene.states.includes('stopped'), false);
  });

  it('can be retried after a failed start', async () => {
    const caller = scene.service.ensureRunning();
    (await scene.start(0)).fail(new Error('no port'));
    await assert.rejects(caller, /no port/);
    assert.equal(scene.states.at(-1), 'failed');
    const again = scene.service.ensureRunning();
    (await scene.start(1)).succeed('second');
    assert.equal(await again, 'second');
  });

  it('is started again after it has ended by itself', async () => {
    const caller = scene.service.ensureRunning();
    (await scene.start(0)).succeed('first');
    await caller;
    scene.service.lost();
    const again = scene.service.ensureRunning();
    (await scene.start(1)).succeed('second');
    assert.equal(await again, 'second');
  });
});
