import GatewayModel
import Testing

@Suite struct RFC3339Tests {
    /// The examples of RFC 3339 section 5.8, and times that `date -d TEXT +%s%3N` (GNU coreutils) gives.
    @Test(arguments: [
        ("1985-04-12T23:20:50.52Z", 482_196_050_520), ("1996-12-19T16:39:57-08:00", 851_042_397_000),
        ("1937-01-01T12:00:27.87+00:20", -1_041_337_172_130), ("1970-01-01T00:00:00Z", 0),
        ("2026-05-10T09:00:00+02:00", 1_778_396_400_000), ("2024-02-29T23:59:59.999Z", 1_709_251_199_999),
        ("2000-02-29t12:00:00.1234567z", 951_825_600_123), ("0001-01-01T00:00:00Z", -62_135_596_800_000),
    ]) func `a time with its offset is the instant it names`(text: String, milliseconds: Int64) {
        #expect(WallTime(rfc3339: text)?.millisecondsSince1970 == milliseconds)
    }

    @Test(arguments: [
        "", "2026-05-10", "2026-05-10T09:00:00", "2026-05-10 09:00:00Z", "2026-02-29T09:00:00Z",
        "1900-02-29T09:00:00Z", "2026-13-01T09:00:00Z", "2026-04-31T09:00:00Z", "2026-05-10T24:00:00Z",
        "2026-05-10T09:60:00Z", "2016-12-31T23:59:60Z", "2026-05-10T09:00:00.Z", "2026-05-10T09:00:00+2:00",
        "2026-05-10T09:00:00+02:60", "2026-05-10T09:00:00Z ", "2026-05-10T09:00:00ZZ", "+026-05-10T09:00:00Z",
        "2026-00-10T09:00:00Z", "2026-05-00T09:00:00Z", "2026-05-1０T09:00:00Z",
    ]) func `what is no such time, or no time of the calendar, is none`(text: String) {
        #expect(WallTime(rfc3339: text) == nil)
    }

    @Test func `no beginning of a time is one`() {
        let text = "2026-05-10T09:00:00.250+02:00"
        for count in 0..<text.count { #expect(WallTime(rfc3339: String(text.prefix(count))) == nil) }
    }
}
