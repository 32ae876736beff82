import type { WordParts } from './word-parts.ts'

/** Parts of a word that are being joined. */
export class JoinedParts {
  text = ''
  /** Slice of the word from the first part's start to the last one's end. */
  from = 0
  to = 0
  /** Of the first part. */
  kind = 0
  count = 0
  /** Where the first part stands, for who asks. */
  startPosition = 0

  /** Adds the part at hand of a word. */
  add(parts: WordParts, word: string, position: number): void {
    if (this.count === 0) {
      this.kind = parts.kind
      this.from = parts.start
      this.startPosition = position
    }
    this.text += word.slice(parts.start, parts.end)
    this.to = parts.end
    this.count++
  }

  clear(): void {
    this.text = ''
    this.from = 0
    this.to = 0
    this.kind = 0
    this.count = 0
    this.startPosition = 0
  }
}
