/// Makes sound of a text. Used on the speech thread alone, which it may hold up for a bounded time.
protocol Voice: Sendable {
    func render(_ utterance: Utterance) throws(HouseFailure) -> PCM
}
