// A lane's worker that gives back what it gets.
export default function echoLaneWorker(request) {
  return { kind: 'done', value: request }
}
