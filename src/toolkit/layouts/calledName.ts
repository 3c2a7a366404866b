/** What a struct is called for people: Tact's `Gate$Data`, which no source mentions, is `the storage of Gate`. */
export function calledName(name: string): string {
  return name.replace(/^(.+)\$Data$/, 'the storage of $1').replace(/^(.+)\$Init$/, 'init of $1');
}
