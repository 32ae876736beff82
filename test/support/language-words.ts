/**
 * Words that look like those of a language: random stems in its letters, then endings that its
 * stemmers know. Where Debian's snowball-data is at hand, its vocabularies are the better test; these
 * are always there.
 */
import { Draw } from './varied-strings.ts'

interface LanguageLetters {
  readonly letters: string
  readonly endings: string
}

const LATIN = 'aaeeiioubcdfghlmnprstvz'

const LANGUAGES: Readonly<Record<string, LanguageLetters>> = {
  arabic: {
    letters: 'ابتثجحخدذرزسشصضطظعغفقكلمنهويآأإةىئءؤ',
    endings: 'ال وال بال كال فال لل و ها ان ات ون ين يه ية ه ي َ ـ',
  },
  bengali: {
    letters: 'অআইউএওকখগঘঙচছজঝঞটঠডঢণতথদধনপফবভমযরলশষসহড়ঢ়য়ািীুূেৈোৌ্ংঃঁৎ',
    endings:
      'টা টি খানা খানি গুলি গুলো দের কে রা ের তে ছি েছিলাম াইতেছিলেন িতেছে ্য ্ব িয়া েন বেন ল লাম তাম ছে েছে বার ো ু া ী দিগকে িকে',
  },
  bulgarian: {
    letters: 'абвгдежзийклмнопрстуфхцчшщъьюя',
    endings: 'ът та то те ят ия ове еве овци ища и а о я ен на ени ище ища йте ия я ци зи си ъ',
  },
  german: {
    letters: `${LATIN}äöüßkwyjqx`,
    endings:
      'e en er es em ern st est heit keit lich isch ung end ig ik nisse nissen s ss in innen ell sch',
  },
  hindi: {
    letters: 'अआइईउऊएऐओऔकखगघचछजझटठडढणतथदधनपफबभमयरलवशषसहािीुूेैोौ्ंँ़ृ',
    endings:
      'ो े ू ु ी ि ा कर ाओ िए ाई ाए ने नी ना ते ीं ती ता ाँ ां ों ें ाकर ाइए ाईं ाया ेगी ेगा ोगी ोगे ाने ाना ाते ाती ाता तीं ाओं ाएं ुओं ुएं ुआं ाएगी ाएगा ाओगी ाओगे एंगी ेंगी एंगे ेंगे ूंगी ूंगा ातीं नाओं नाएं ताओं ताएं ियाँ ियों ियां ाएंगी ाएंगे ाऊंगी ाऊंगा',
  },
  indic: {
    letters: 'अआइउएओािुेोॅॆैक़खगजड ঢদনফযরড়অাে্ৗ ਅਆੲੳਾਿੀੁੂੇੋਖ਼ਗਜਫ અાેૅૈૉ ଅଏଓାୗେଡଢ଼ உஒொோௗெ ఒఅౌౕవుబుె ಒೌೀೊೊ ഇഉഎഒാൗെേണനരലള്',
    endings: '\u200d ् ़ ൗ െ ു ా ು ੁ ્',
  },
  persian: {
    letters: 'ابپتثجچحخدذرزژسشصضطظعغفقکگلمنوهیكيۀہۓ',
    endings: 'ها های ان ات تر ترین ی ۀ',
  },
  scandinavian: { letters: 'aaoeÄÖäöåÅæÆøØAOEkrn', endings: 'aa ae ao oe oo AA Ae aO Oe oO Å' },
  serbian: {
    letters: 'абвгдђежзијклљмнњопрстћуфхцчџшdđžćčšnj',
    endings: 'а е и о у ов ама dj lj nj',
  },
  sorani: {
    letters: 'ابپتجچحخدرڕزژسشعغفڤقکگلڵمنوۆهیێەيىكةھ\u200c\u0640',
    endings: 'ەکە ەکان ێک انم یەکەیان ی ان مان تان یان م ت ێ ە ەوە دا و ه\u200c',
  },
}

/** Texts of a few words each. */
export function languageStrings(language: string, count = 1000): readonly string[] {
  const { letters, endings } = LANGUAGES[language]!
  const draw = new Draw(language.length * 7919 + language.charCodeAt(1))
  const letterList = Array.from(letters.replaceAll(' ', ''))
  const endingList = endings.split(' ')
  const texts: string[] = []
  for (let i = 0; i < count; i++) {
    let text = ''
    for (let words = draw.below(4); words >= 0; words--) {
      let word = ''
      for (let length = draw.below(8); length > 0; length--) word += draw.of(letterList)
      for (let count = draw.below(4); count > 0; count--) word += draw.of(endingList)
      text += (text === '' ? '' : ' ') + word
    }
    texts.push(text)
  }
  return texts
}
