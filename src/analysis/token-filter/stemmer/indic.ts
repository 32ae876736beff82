/** Light stemmers of Bengali (P. Sengupta and B. B. Chaudhuri) and Hindi (A. Ramanathan and D. Rao). */
import type { TermFunction } from '../term-filter.ts'
import { EndingRules } from './word.ts'

/** The letter yya is one code point here, as Unicode's own normal forms never make it. */
const BENGALI = new EndingRules(
  '9 ি\u09dfাছিলাম িতেছিলাম িতেছিলেন ইতেছিলেন ি\u09dfাছিলেন ই\u09dfাছিলেন;' +
    '8 িতেছিলি িতেছিলে ি\u09dfাছিলা ি\u09dfাছিলে িতেছিলা ি\u09dfাছিলি \u09dfেদেরকে;' +
    '7 িতেছিস িতেছেন ি\u09dfাছিস ি\u09dfাছেন েছিলাম েছিলেন েদেরকে;' +
    '6 িতেছি িতেছা িতেছে ছিলাম ছিলেন ি\u09dfাছি ি\u09dfাছা ি\u09dfাছে েছিলে েছিলা \u09dfেদের দেরকে;' +
    '5 িলাম িলেন িতাম িতেন িবেন ছিলি ছিলে ছিলা তেছে িতেছ খানা খানি গুলো গুলি \u09dfেরা েদের;' +
    '4 লাম িলি ইলি িলে ইলে লেন িলা ইলা তাম িতি ইতি িতে ইতে তেন িতা িবা ইবা িবি ইবি বেন িবে ইবে ছেন ' +
    '\u09dfোন \u09dfের েরা দের;3 িস েন লি লে লা তি তে তা বি বে বা ছি ছা ছে ুন ুক টা টি নি ের রা কে;2 ি ী া ো ে ব ত',
)
const HINDI = new EndingRules(
  '6 ाएंगी ाएंगे ाऊंगी ाऊंगा ाइयाँ ाइयों ाइयां;' +
    '5 ाएगी ाएगा ाओगी ाओगे एंगी ेंगी एंगे ेंगे ूंगी ूंगा ातीं नाओं नाएं ताओं ताएं ियाँ ियों ियां;' +
    '4 ाकर ाइए ाईं ाया ेगी ेगा ोगी ोगे ाने ाना ाते ाती ाता तीं ाओं ाएं ुओं ुएं ुआं;' +
    '3 कर ाओ िए ाई ाए ने नी ना ते ीं ती ता ाँ ां ों ें;2 ो े ू ु ी ि ा',
)

/** Stems Bengali. */
export const stemBengali: TermFunction = word => BENGALI.apply(word)
/** Stems Hindi. */
export const stemHindi: TermFunction = word => HINDI.apply(word)
