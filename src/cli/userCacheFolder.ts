import path from 'node:path';
import { pathHere, surroundings } from './surroundings';

/**
 * The folder for what commands keep to be faster next time: that of the variable TON_CACHE_FOLDER, else the user's usual
 * one on this system.
 *
 * @returns undefined if the variable is empty, or the user has no such place
 */
export function userCacheFolder(
  environment = surroundings().environment,
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  const {
    TON_CACHE_FOLDER: given,
    HOME: home,
    XDG_CACHE_HOME: xdg = '',
    LOCALAPPDATA: windows,
  } = environment;
  if (given !== undefined) {
    return given === '' ? undefined : pathHere(given);
  }
  const inHome = (...names: string[]): string | undefined => home && path.join(home, ...names);
  const usual = {
    win32: windows,
    darwin: inHome('Library', 'Caches'),
    // A relative one is ignored, as its specification says.
    other: path.isAbsolute(xdg) ? xdg : inHome('.cache'),
  };
  const place = usual[platform === 'win32' || platform === 'darwin' ? platform : 'other'];
  return place === undefined || !path.isAbsolute(place) ? undefined : path.join(place, 'ton-workbench');
}
