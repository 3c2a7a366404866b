/**
 * Files that open files themselves, by the reason. Everything else reads with readUserFile and writes with writeUserFile, which
 * bound what is read and keep links and modes.
 */
export const fileOpeners: Readonly<Record<string, readonly string[]>> = {
  'the helpers': [
    'cli/readGivenFile.ts',
    'editor/ui/readWorkspaceFile.ts',
    'toolkit/readUserFile.ts',
    'toolkit/writeUserFile.ts',
  ],
  'files of a journal, a lock or a cache, in a folder that is ours': [
    'toolkit/journal/journalDisk.ts',
    'toolkit/journal/folderLock.ts',
    'toolkit/journal/tonFolder.ts',
    'toolkit/localnet/folder/folderRecord.ts',
    'toolkit/localnet/folder/takeOverOldState.ts',
  ],
  'the recorder, which runs in tests of other people and has nothing of this project but itself': [
    'library/record.ts',
    'toolkit/testRuns/recordLines.ts',
  ],
  'what the system says about processes': ['toolkit/journal/processMark.ts'],
  'an export that is written as it is read, straight into the file': [
    'toolkit/webhook/journal/openKeptInbox.ts',
    'toolkit/webhook/listener/listenerCore.ts',
  ],
};
