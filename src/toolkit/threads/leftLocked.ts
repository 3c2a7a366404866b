/** Folders whose thread in this process ended without releasing their lock: the next one there takes it over. */
export const leftLocked = new Set<string>();
