import { readLightCell } from '../../cell/light/readLightCell';
import type { LightCell } from '../../cell/light/lightCell';
import { walkDictionary } from '../../cell/light/walkDictionary';
import type { LocalChain } from '../chain/localChain';

/** Code stored in a network library: the contract's own code is only the library's hash. */
export class LibraryCodes {
  #source: string | null = null;
  #libraries = new Map<string, LightCell>();

  constructor(private readonly chain: Pick<LocalChain, 'libraries'>) {}

  /** The code that runs; null if the network has no such library. */
  resolve(code: LightCell): LightCell | null {
    if (!code.isLibrary) {
      return code;
    }
    this.#read();
    return this.#libraries.get(code.data.subarray(1, 33).toString('hex')) ?? null;
  }

  #read(): void {
    const { libraries } = this.chain;
    if (libraries === this.#source) {
      return;
    }
    this.#source = libraries;
    this.#libraries = new Map();
    if (libraries !== null) {
      walkDictionary(readLightCell(Buffer.from(libraries, 'base64')), 256, (hash, value) => {
        this.#libraries.set(hash.toString(16).padStart(64, '0'), value.ref());
      });
    }
  }
}
