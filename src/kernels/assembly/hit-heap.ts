/** The k best hits of a call: a binary heap, worst on top: lowest score, then highest document. */
import { CAPACITY, HIT_COUNT, HIT_DOCS, HIT_SCORES } from './plan-record'

/** Max hits. */
export let capacity: i32 = 0
/** Their number. */
export let hitCount: i32 = 0
let hitScores: usize = 0
let hitDocs: usize = 0

/** Takes the hits that a plan begins with. */
@inline export function openHits(at: usize): void {
  capacity = load<i32>(at, CAPACITY)
  hitCount = load<i32>(at, HIT_COUNT)
  hitScores = load<usize>(at, HIT_SCORES)
  hitDocs = load<usize>(at, HIT_DOCS)
}

/** Forgets all hits. */
@inline export function clearHits(): void {
  hitCount = 0
}

/** Appends a match to a list, which is no heap. */
@inline export function appendHit(score: f32, doc: i32): void {
  setHit(hitCount++, score, doc)
}

/** Adds a hit; there is room for it. */
@inline export function pushHit(score: f32, doc: i32): void {
  let at = hitCount++
  while (at > 0) {
    const parent = (at - 1) >> 1
    if (!isWorse(score, doc, parent)) break
    moveHit(parent, at)
    at = parent
  }
  setHit(at, score, doc)
}

/** Puts a hit in the place of a worse one, or below it. */
export function sink(from: i32, score: f32, global: i32): void {
  let at = from
  for (;;) {
    let child = 2 * at + 1
    if (child >= hitCount) break
    const right = child + 1
    if (right < hitCount && isWorse(scoreOfHit(right), docOfHit(right), child)) child = right
    if (isWorse(score, global, child)) break
    moveHit(child, at)
    at = child
  }
  setHit(at, score, global)
}

/** The score of a hit. */
@inline export function scoreOfHit(i: i32): f32 {
  return load<f32>(hitScores + ((<usize>i) << 2))
}
/** The global document of a hit. */
@inline export function docOfHit(i: i32): i32 {
  return load<i32>(hitDocs + ((<usize>i) << 2))
}
@inline function setHit(i: i32, score: f32, doc: i32): void {
  store<f32>(hitScores + ((<usize>i) << 2), score)
  store<i32>(hitDocs + ((<usize>i) << 2), doc)
}
@inline function moveHit(from: i32, to: i32): void {
  setHit(to, scoreOfHit(from), docOfHit(from))
}
/** Whether a match is worse than a hit. */
@inline export function isWorse(score: f32, doc: i32, than: i32): bool {
  const other = scoreOfHit(than)
  return score < other || (score == other && doc > docOfHit(than))
}
