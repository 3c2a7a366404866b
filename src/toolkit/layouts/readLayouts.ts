import type { LayoutSet } from './cellLayout';

/**
 * The structs of a compiler's ABI: Tact's .abi and .pkg, the JSON of newer Tolk compilers.
 *
 * @param origin how the file is named to people
 * @throws WorkbenchError `abi-unreadable` (input)
 */
export async function readLayouts(origin: string, text: string): Promise<LayoutSet> {
  return /"abi_schema_version"/.test(text)
    ? (await import('./readTolkLayouts')).readTolkLayouts(origin, text)
    : (await import('./readTactLayouts')).readTactLayouts(origin, text);
}
