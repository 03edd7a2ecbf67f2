import CGPSD
import GatewayModel
import Glibc

/// One connection to gpsd at a time. Used on the gpsd thread alone.
///
/// libgps connects, asks for reports and unpacks each fix. The lines are read here, within the bounds of `GPSDLines`:
/// libgps's own reading loops for ever over an object that it refuses (3.22: a DEVICES report with 40 devices).
///
/// `gps_data_t` is 24 KB of all that receivers may say: allocated once, freed once.
final class GPSDClient {
    private let data: UnsafeMutablePointer<gps_data_t>
    private let chunk: UnsafeMutableBufferPointer<UInt8>
    private var lines = GPSDLines()
    private var isOpen = false

    enum Report {
        case fix(GPSReport)
        /// The system's clock at a pulse of the receiver (PPS), or when a message began (TOFF).
        case time(SatelliteTime.Means, GPSTimePair)
    }

    /// Result of one read.
    enum Reading {
        case reports([Report])
        /// No bytes are there.
        case nothing
        case lost(String)
        /// The peer breaks a bound.
        case misbehaved(String)
    }

    init() {
        data = .allocate(capacity: 1)
        chunk = .allocate(capacity: 4_096)
        // libgps writes to its socket without MSG_NOSIGNAL: a gpsd that has gone must not end us.
        signal(SIGPIPE, SIG_IGN)
    }

    deinit {
        close()
        data.deallocate()
        chunk.deallocate()
    }

    var descriptor: Int32 { data.pointee.gps_fd }

    /// Connects and asks for reports. Blocks while TCP does; gpsd is meant to be on this machine, where
    /// that is at once.
    /// - Returns: nil, or why not.
    func open(host: String, port: UInt16) -> String? {
        close()
        memset(data, 0, MemoryLayout<gps_data_t>.size)
        guard gps_open(host, String(port), data) == 0 else {
            return "cannot reach gpsd at \(host) port \(port) (\(String(cString: gps_errstr(errno)))); "
                + "check that it runs: systemctl status gpsd"
        }
        isOpen = true
        lines = GPSDLines()
        guard gps_stream(data, UInt32(WATCH_ENABLE | WATCH_JSON | WATCH_PPS), nil) == 0 else {
            close()
            return "gpsd at \(host) port \(port) does not take the request for reports"
        }
        return nil
    }

    func close() {
        guard isOpen else { return }
        isOpen = false
        gps_close(data)
    }

    /// Takes the reports that have come, a few KB at most; never blocks.
    func read(at now: BootInstant) -> Reading {
        let count = recv(descriptor, chunk.baseAddress, chunk.count, Int32(MSG_DONTWAIT))
        guard count > 0 else {
            if count < 0, errno == EAGAIN || errno == EINTR { return .nothing }
            let text = count == 0 ? "closed by gpsd" : String(cString: strerror(errno))
            return .lost("the connection to gpsd is gone (\(text)); check that it runs: systemctl status gpsd")
        }
        do throws(GPSDLines.Misbehaviour) {
            var reports: [Report] = []
            for line in try lines.take(chunk.prefix(count), at: now) {
                if let report = report(line) {
                    lines.understood()
                    reports.append(report)
                } else {
                    try lines.refused()
                }
            }
            return .reports(reports)
        } catch {
            return .misbehaved(
                "the program at gpsd's port does not speak as gpsd does (\(error.words)); check which one listens "
                    + "there: ss -tlnp")
        }
    }

    private func report(_ line: GPSDLines.Line) -> Report? {
        switch line.kind {
        case .fix: unpack(line.bytes).map { .fix($0) }
        // From the line itself: libgps 3.22 says that it has read a TOFF, and leaves its times at zero.
        case .pulse: GPSTimePair(line: line.bytes).map { .time(.pulse, $0) }
        case .message: GPSTimePair(line: line.bytes).map { .time(.message, $0) }
        }
    }

    private func unpack(_ line: [UInt8]) -> GPSReport? {
        // A 0 within ends it early.
        let text = line.map { CChar(bitPattern: $0) } + [0]
        return text.withUnsafeBufferPointer { text -> GPSReport? in
            var end = text.baseAddress
            guard libgps_json_unpack(text.baseAddress, data, &end) == 0 else { return nil }
            return GPSReport(data.pointee)
        }
    }
}

extension GPSReport {
    fileprivate init(_ data: borrowing gps_data_t) {
        let fix = data.fix
        let hasPlace = data.set & LATLON_SET != 0
        self.init(
            mode: fix.mode, time: GPSTimePair.nanoseconds(Int64(fix.time.tv_sec), Int64(fix.time.tv_nsec)),
            latitude: hasPlace ? fix.latitude : nil, longitude: hasPlace ? fix.longitude : nil,
            altitude: fix.altMSL, horizontalError: fix.eph)
    }
}
