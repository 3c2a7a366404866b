import assert from 'node:assert/strict';
import path from 'node:path';
import { userCacheFolder } from '../../../src/cli/surroundings';

describe("cli: the user's cache folder", () => {
  const home = path.resolve('/home/alice');
  const own = path.resolve('/own');

  it('is the usual one of the system', () => {
    const environment = { HOME: home, LOCALAPPDATA: own };
    assert.equal(userCacheFolder(environment, 'linux'), path.join(home, '.cache/ton-workbench'));
    assert.equal(
      userCacheFolder({ ...environment, XDG_CACHE_HOME: own }, 'linux'),
      path.join(own, 'ton-workbench'),
    );
    assert.equal(
      userCacheFolder({ ...environment, XDG_CACHE_HOME: 'relative' }, 'linux'),
      path.join(home, '.cache/ton-workbench'),
    );
    assert.equal(userCacheFolder(environment, 'darwin'), path.join(home, 'Library/Caches/ton-workbench'));
    assert.equal(userCacheFolder(environment, 'win32'), path.join(own, 'ton-workbench'));
  });

  it('is the one that the variable names, or none', () => {
    assert.equal(userCacheFolder({ HOME: home, TON_CACHE_FOLDER: 'here' }, 'linux'), path.resolve('here'));
    assert.equal(userCacheFolder({ HOME: home, TON_CACHE_FOLDER: '' }, 'linux'), undefined);
  });

  it('is nowhere without a home', () => {
    for (const platform of ['linux', 'darwin', 'win32'] as const) {
      assert.equal(userCacheFolder({}, platform), undefined);
      assert.equal(userCacheFolder({ HOME: '', LOCALAPPDATA: '' }, platform), undefined);
    }
  });
});
