/**
 * Snowball's stemmer of Hungarian in the version that Lucene 8 has, which takes õ and û for the long
 * vowels that are ő and ű.
 */
import { SuffixTable } from './suffix-table.ts'

const VOWELS = 'aeiouáéíóöõúüû'
const DOUBLES = new SuffixTable({
  double: 'bb cc ccs dd ff gg ggy jj kk ll lly mm nn nny pp rr ss ssz tt tty vv zz zzs',
})
const DIGRAPHS = ['dzs', 'cs', 'gy', 'ly', 'ny', 'sz', 'ty', 'zs']

type Change = 'cut' | 'a' | 'e'

const CASES = new SuffixTable({
  cut:
    'ban ben ba be ra re nak nek val vel tól tõl ról rõl ból bõl hoz hez höz nál nél ig at et ot öt ért képp ' +
    'képpen kor ul ül vá vé onként enként anként ként en on an ön n t',
})
const SPECIAL_CASES = new SuffixTable<Change>({ a: 'án ánként', e: 'én' })
const OTHER_CASES = new SuffixTable<Change>({
  cut: 'astul estül stul stül',
  a: 'ástul',
  e: 'éstül',
})
const OWNED = new SuffixTable<Change>({
  cut: 'oké öké aké eké ké éi é',
  a: 'áké áéi',
  e: 'éké ééi éé',
})
const ONE_OWNED = new SuffixTable<Change>({
  cut: 'ünk unk nk juk jük uk ük em om am m od ed ad öd d ja je a e o',
  a: 'ánk ájuk ám ád á',
  e: 'énk éjük ém éd é',
})
const MANY_OWNED = new SuffixTable<Change>({
  cut:
    'jaim jeim aim eim im jaid jeid aid eid id jai jei ai ei i jaink jeink eink aink ink jaitok jeitek aitok ' +
    'eitek itek jeik jaik aik eik ik',
  a: 'áim áid ái áink áitok áik',
  e: 'éim éid éi éink éitek éik',
})
const PLURALS = new SuffixTable<Change>({ cut: 'ök ak ok ek k', a: 'ák', e: 'ék' })

/** Stems Hungarian. */
export function stemHungarian(term: string): string {
  const region = findRegion(term)
  let word = undouble(term, /[ae]l$/, region)
  word = removeCase(word, region)
  word = change(SPECIAL_CASES, word, region)
  word = change(OTHER_CASES, word, region)
  word = undouble(word, /[áé]$/, region)
  for (const table of [OWNED, ONE_OWNED, MANY_OWNED, PLURALS]) word = change(table, word, region)
  return word
}

/** Behind the first consonant after a vowel at first, or behind the first vowel. */
function findRegion(word: string): number {
  const isVowel = (at: number): boolean => VOWELS.includes(word[at]!)
  let at = 0
  if (word.length > 0 && isVowel(0)) {
    while (at < word.length && isVowel(at)) at++
    if (at === word.length) return at
    const digraph = DIGRAPHS.find(letters => word.startsWith(letters, at))
    return at + (digraph?.length ?? 1)
  }
  while (at < word.length && !isVowel(at)) at++
  return Math.min(at + 1, word.length)
}

/** Takes an ending off that doubles the consonant before it, and one of the two. */
function undouble(word: string, ending: RegExp, region: number): string {
  const found = ending.exec(word)
  if (found === null || found.index < region) return word
  const left = word.slice(0, found.index)
  if (DOUBLES.find(left) === null) return word
  // Of a doubled digraph the middle letter goes, of a doubled letter the first.
  return left.slice(0, -2) + left.slice(-1)
}

function removeCase(word: string, region: number): string {
  const found = CASES.find(word)
  if (found === null || word.length - found.suffix.length < region) return word
  const left = word.slice(0, -found.suffix.length)
  const last = left.at(-1)
  if ((last !== 'á' && last !== 'é') || left.length - 1 < region) return left
  return left.slice(0, -1) + (last === 'á' ? 'a' : 'e')
}

function change(table: SuffixTable<Change>, word: string, region: number): string {
  const found = table.find(word)
  if (found === null || word.length - found.suffix.length < region) return word
  const left = word.slice(0, -found.suffix.length)
  return found.action === 'cut' ? left : left + found.action
}
