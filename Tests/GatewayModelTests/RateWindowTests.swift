import GatewayModel
import Testing

@Suite struct `A limit of a rate` {
    private func instant(_ seconds: Double) -> BootInstant {
        BootInstant(nanoseconds: Int64(seconds * 1e9))
    }

    @Test func `holds in every interval, wherever it begins`() {
        var window = RateWindow(limit: 3, interval: .seconds(60))
        let allowed = stride(from: 0.0, to: 400, by: 7).filter { window.take(at: instant($0)) }
        for start in allowed {
            #expect(allowed.count { $0 >= start && $0 < start + 60 } <= 3)
        }
        #expect(allowed.count > 15)
    }

    @Test func `says how long to wait`() {
        var window = RateWindow(limit: 2, interval: .seconds(60))
        #expect(window.wait(at: instant(0)) == .zero)
        let taken = [0, 20, 21].map { window.take(at: instant($0)) }
        #expect(taken == [true, true, false])
        #expect(window.wait(at: instant(21)) == .seconds(39))
        #expect(window.wait(at: instant(61)) == .zero)
        let later = window.take(at: instant(60))
        #expect(later)
    }
}
