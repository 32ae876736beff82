/** The variable that holds the `ScoreDocument` of score functions: no source can spell it. */
export const SCORED_DOCUMENT = '#document'
