/** Words as corpora and their query files count them: runs of letters and digits, lower case. */
const WORD = /[\p{L}\p{N}]+/gu

/** The words of a text in order. */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(WORD) ?? []
}

/** How many words a text has. */
export function countWords(text: string): number {
  return text.match(WORD)?.length ?? 0
}
