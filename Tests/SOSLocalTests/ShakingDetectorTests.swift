import GatewayModel
import SOSLocal
import Testing

@Suite struct `Shaking` {
    private func seen(_ seconds: [Double]) -> [Double] {
        var detector = ShakingDetector()
        return seconds.filter { detector.moved(at: House.at($0)) }
    }

    @Test func `is movement in eight of ten seconds`() {
        #expect(seen((100..<108).map(Double.init)) == [107])
        #expect(seen([100, 101, 102, 104, 105, 106, 108, 109]) == [109])
    }

    @Test func `is not a knock, however often it is repeated within a second`() {
        #expect(seen((0..<100).map { 100 + Double($0) / 101 }) == [])
    }

    @Test func `is not movement with pauses`() {
        #expect(seen(stride(from: 100.0, to: 200, by: 2).map { $0 }) == [])
        #expect(seen([100, 101, 102, 103, 104, 105, 106, 111]) == [])
    }

    @Test func `is told once a bout`() {
        let minutes = (0..<150).map { 100 + Double($0) }
        #expect(seen(minutes) == [107, 167, 227])
    }
}
