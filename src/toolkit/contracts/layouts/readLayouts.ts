import type { LayoutSet } from './layoutSet';

/**
 * Reads the structs from a compiler's ABI: Tact's .abi and .pkg, or the JSON of newer Tolk compilers.
 *
 * @param origin the file, as shown to the user
 * @throws WorkbenchError `abi-unreadable` (input)
 */
export async function readLayouts(origin: string, text: string): Promise<LayoutSet> {
  return /"abi_schema_version"/.test(text)
    ? (await import('./readTolkLayouts')).readTolkLayouts(origin, text)
    : (await import('./readTactLayouts')).readTactLayouts(origin, text);
}
