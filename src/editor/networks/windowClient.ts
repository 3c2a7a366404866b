/**
 * The client name in a window's requests to the local network, which distinguishes them from those of
 * programs in its log.
 */
export const windowClient = 'ton-workbench-editor';
