import Testing

@testable import HomeGateway

@Suite struct `The feed of watchers` {
    @Test func `makes no event while nobody watches`() throws {
        let feed = try Feed()
        var made = 0
        func event() -> FeedEvent {
            made += 1
            return .reading(Sample.reading(made))
        }
        feed.put(event())
        #expect(made == 0)
        feed.isWatched = true
        feed.put(event())
        feed.put(nil)
        #expect(feed.take().map(\.event) == ["reading"])
        feed.isWatched = false
        feed.put(event())
        #expect(made == 1)
        #expect(feed.take().isEmpty)
    }
}
