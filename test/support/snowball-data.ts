/** The vocabularies of Debian's snowball-data: words and their stems by Snowball of January 2021. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { TermFunction } from '../../src/analysis/token-filter/term-filter.ts'
import { debianFolder } from './debian-package.ts'
import { ORACLE_CACHE } from './lucene/line-process.ts'

/** One of them has nine million. */
const MOST_WORDS = 200_000

/** A vocabulary and how we are to do on it. */
export interface Vocabulary {
  /** Its folder. */
  readonly folder: string
  /** Language in the filter `snowball`. */
  readonly language: string
  /** Words whose stem is another, all for the cause that is given. */
  readonly differences: number
  /** What later versions of the algorithm changed. */
  readonly cause: string
}

const LATER: Readonly<Record<string, readonly [differences: number, cause: string]>> = {
  danish: [1, 'digits are no consonants that are undoubled'],
  finnish: [8, 'digits and foreign letters are no consonants'],
  french: [79, 'ë and ï no longer take part in regions'],
  german: [70, '-nisse, -nissen, -nisses become -nis'],
  german2: [70, '-nisse, -nissen, -nisses become -nis'],
  hungarian: [640, 'ő and ű, for which Lucene 8 has õ and û'],
  portuguese: [10, '-ução and -uções become -u'],
  russian: [112, 'ё is read as е'],
}

/** Vocabularies of the languages that Lucene 8 has. */
export const VOCABULARIES: readonly Vocabulary[] = (
  'arabic armenian basque catalan danish dutch english finnish french german german2 hungarian irish ' +
  'italian kraaij_pohlmann=Kp lithuanian lovins norwegian porter portuguese romanian russian spanish ' +
  'swedish turkish'
)
  .split(' ')
  .map(pair => {
    const [folder = '', language = folder.charAt(0).toUpperCase() + folder.slice(1)] =
      pair.split('=')
    const [differences, cause] = LATER[folder] ?? [0, '']
    return { folder, language, differences, cause }
  })

/** Words of a vocabulary and their stems. */
export function readVocabulary({ folder }: Vocabulary): {
  readonly words: readonly string[]
  readonly stems: readonly string[]
} {
  const data = debianFolder('snowball-data', '/usr/share/snowball/data', ORACLE_CACHE, existsSync)
  const lines = (name: string): string[] => {
    const file = join(data, folder, name)
    const text = existsSync(file)
      ? readFileSync(file, 'utf8')
      : gunzipSync(readFileSync(`${file}.gz`)).toString('utf8')
    return text.split('\n').slice(0, -1).slice(0, MOST_WORDS)
  }
  return { words: lines('voc.txt'), stems: lines('output.txt') }
}

/** The words that a stemmer gives another stem, with both. */
export function differingWords(vocabulary: Vocabulary, stem: TermFunction): readonly string[] {
  const { words, stems } = readVocabulary(vocabulary)
  const differing: string[] = []
  for (const [i, word] of words.entries()) {
    const ours = stem(word)
    if (ours !== stems[i]) differing.push(`${word}: ${ours}, not ${stems[i]}`)
  }
  return differing
}
