import GatewayModel
import Testing

@testable import Supervision

@Suite struct `The watch over certificates` {
    private static let end = WallTime(rfc3339: "2026-12-20T12:00:00Z")!

    private func reason(_ now: String) -> String? {
        CertificateWatch.reason("/etc/homegateway/box.pem", end: Self.end, at: WallTime(rfc3339: now)!)
    }

    @Test func `asks for a renewal 30 days before the end, and says afterwards since when it has ended`() {
        #expect(reason("2026-11-20T11:59:59Z") == nil)
        #expect(
            reason("2026-11-20T12:00:01Z") == "/etc/homegateway/box.pem: ends on 2026-12-20, in 29 days")
        #expect(reason("2026-12-19T11:00:00Z") == "/etc/homegateway/box.pem: ends on 2026-12-20, in 1 day")
        #expect(reason("2026-12-20T12:00:00Z") == "/etc/homegateway/box.pem: expired since 2026-12-20")
        #expect(reason("2027-01-20T12:00:00Z") == "/etc/homegateway/box.pem: expired since 2026-12-20")
    }
}
