import Ciphers
import Contract
import Foundation
import GatewayModel
import Glibc
import Hub
import RealTime
import Settings
import SettingsReading

/// Probes of the box itself: clock, power, disk, files on a stick, and the certificates that end one day.
extension Probe {
    /// - Parameter file: the settings file.
    static func box(for settings: GatewaySettings, in file: String) -> [Probe] {
        [
            Probe(title: "clock") { clock(.look()) },
            Probe(title: "power") { power(PowerSupply(), in: "/sys/class/hwmon") },
            Probe(title: "disk") { await limited { disk(settings.gateway.stateDirectory) } },
            Probe(title: "drives of these files") { await limited { files(namedIn: file) } },
        ] + certificates(of: settings)
    }

    // MARK: Clock and power

    static func clock(_ clock: KernelClock) -> Finding {
        switch clock.discipline {
        case .none:
            .problem(
                "no program keeps the clock right; connect the network and switch it on: timedatectl set-ntp true. Where "
                    + "that is not supported: apt-get install systemd-timesyncd. Or let a GPS receiver do so by chrony"
            )
        case .program: .well("kept right by a program, by NTP as a rule")
        case .pulse: .well("kept right by the pulse of a receiver")
        }
    }

    /// - Parameters:
    ///   - supply: nil where the kernel shows nothing.
    ///   - folder: that of hwmon, in which a Raspberry Pi tells of a voltage below 4.63 V (driver `rpi_volt`).
    static func power(_ supply: PowerSupply?, in folder: String) -> Finding {
        let sensors = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for sensor in sensors.sorted() where word("\(folder)/\(sensor)/name") == "rpi_volt" {
            guard word("\(folder)/\(sensor)/in0_lcrit_alarm") == "1" else { continue }
            return .problem(
                "the supply gives too little voltage; use the original power supply with its own cable, and no USB device that "
                    + "the box has to feed"
            )
        }
        guard let supply else { return .well("no fault is shown; the kernel knows no battery here") }
        let charge = supply.batteryPercent.map { "battery at \($0) %" } ?? "no battery"
        guard supply.hasMains != false else {
            return .problem("the mains are gone, \(charge); plug the box in")
        }
        return .well(supply.hasMains == true ? "mains, \(charge)" : charge)
    }

    // MARK: Disk

    /// Writes that are timed. A message to help is on the disk before it counts as kept.
    private static let writes = 20
    /// A sound card of the A1 class needs some 5 ms; the processes of the house take a disk that is far slower for damaged.
    private static let slowestMedian = Duration.milliseconds(200)
    /// O_TMPFILE of Linux, a macro that Swift does not import.
    private static let unnamedFile: Int32 = 0o20_000_000 | O_DIRECTORY
    /// Bytes below which a full disk is near: a month of one wearable takes about 100 MB.
    private static let leastFree: UInt64 = 512 << 20

    /// Times durable writes in a file without a name, and looks at the room and at the wear that the card tells.
    static func disk(_ folder: String) -> Finding {
        let descriptor = open(folder, Self.unnamedFile | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            return errno == ENOENT
                ? .well("\(folder) is not there yet; run this again when the gateway has been started")
                : .problem(
                    "\(folder): \(String(cString: strerror(errno))); run this as the gateway's user: sudo homegateway doctor"
                )
        }
        defer { close(descriptor) }
        var figures = statvfs()
        if fstatvfs(descriptor, &figures) == 0 {
            let free = UInt64(figures.f_bavail) * UInt64(figures.f_frsize)
            guard free >= leastFree else {
                return .problem(
                    "\(free >> 20) MB are free, expected \(leastFree >> 20) MB: remove other data, or use a larger card"
                )
            }
        }
        let block = [UInt8](repeating: 0x5A, count: 4_096)
        var times: [Duration] = []
        for number in 0..<writes {
            let begin = Clock.boot()
            guard pwrite(descriptor, block, block.count, number * block.count) == block.count,
                fdatasync(descriptor) == 0
            else {
                return .problem(
                    "a write failed: \(String(cString: strerror(errno))); replace the card, and see: dmesg")
            }
            times.append(begin.duration(to: Clock.boot()))
        }
        times.sort()
        let speed =
            "a durable write takes \(times[writes / 2].wholeMilliseconds) ms, the slowest "
            + "\(times[writes - 1].wholeMilliseconds) ms"
        guard times[writes / 2] <= slowestMedian else {
            return .problem(
                "\(speed), expected at most \(slowestMedian.wholeMilliseconds) ms: replace the card")
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return .well(speed) }
        // As gnu_dev_major and gnu_dev_minor of glibc, which Swift does not import.
        let device = UInt64(status.st_dev)
        let (major, minor) = (device >> 8 & 0xFFF | device >> 32 & ~0xFFF, device & 0xFF | device >> 12 & ~0xFF)
        let wear = DiskWear(ofBlockDevice: "/sys/dev/block/\(major):\(minor)")
        guard wear.isGood else {
            return .problem("\(speed), but \(wear.text); replace the card before it fails: homegateway backup")
        }
        return .well("\(speed); \(wear.text)")
    }

    // MARK: Files

    /// The existence of each file that the settings name. Blocking I/O.
    static func namedFiles(_ path: String) -> Finding {
        do throws(SettingsError) {
            let files = try SettingsFiles(path: path)
            let missing = files.missing
            guard missing.isEmpty else {
                return .problem(
                    missing.map { "\($0.file):\($0.line): \($0.key) \($0.path): no such file" }.joined(
                        separator: "; ")
                        + "; put it there, or correct the path")
            }
            return .well("\(files.paths.count) named, all there")
        } catch {
            return .problem(error.description)
        }
    }

    /// Files that the next start needs and does not find once the stick is pulled out.
    private static func files(namedIn settings: String) -> Finding {
        do throws(SettingsError) {
            return files(try SettingsFiles(path: settings).paths)
        } catch {
            return .problem(error.description)
        }
    }

    /// Judges absolute paths. Reads symbolic links.
    static func files(_ paths: [String]) -> Finding {
        let removable = paths.filter { path in
            // Where Debian mounts sticks and cards.
            let place = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
            return place.hasPrefix("/media/") || place.hasPrefix("/run/media/")
        }
        guard removable.isEmpty else {
            return .problem(
                "\(removable.joined(separator: ", ")): on a drive that can be taken out; copy to /etc/homegateway, and name "
                    + "that place in the settings")
        }
        return .well("\(paths.count), none on a drive that can be taken out")
    }

    // MARK: Certificates

    /// Days before its end in which a certificate is to be renewed.
    private static let renewalDays = 30

    private static func certificates(of settings: GatewaySettings) -> [Probe] {
        var probes: [Probe] = []
        func add(_ file: String, _ use: String) {
            probes.append(
                Probe(title: "certificate of \(use)") {
                    guard let text = try? String(contentsOfFile: file, encoding: .utf8) else {
                        return .problem("\(file) cannot be read; see the other findings about it")
                    }
                    return certificate(file, ends: CertificateEnds.ends(ofPEM: text), at: Clock.wall())
                })
        }
        func addServer(_ host: String, _ port: Int, _ use: String) {
            probes.append(
                Probe(title: "certificate of \(use)") {
                    await limited { server(host, port) }
                })
        }
        let broker = settings.broker
        if case .tls(let tls) = broker.access.security {
            if !tls.caFile.hasPrefix("/etc/ssl/certs/") { add(tls.caFile, "the broker's authority") }
            if let client = tls.client { add(client.certificateFile, "this box") }
            for address in broker.access.addresses { addServer(address.host, address.port, "the broker") }
        }
        for channel in settings.channels {
            guard case .https(let way) = channel.way else { continue }
            if case .certificate(let own) = way.credential {
                add(own.certificateFile, "this box for channel \(channel.id)")
            }
            if let url = URL(string: way.url), url.scheme == "https", let host = url.host() {
                addServer(host, url.port ?? 443, "the server of channel \(channel.id)")
            }
        }
        return probes
    }

    private static func server(_ host: String, _ port: Int) -> Finding {
        // The server may close while the handshake is written.
        signal(SIGPIPE, SIG_IGN)
        do throws(TCPProbe.Failure) {
            let socket = try TCPProbe.open(host: host, port: port, within: .seconds(4))
            defer { close(socket) }
            let end = CertificateEnds.end(ofServer: host, at: socket)
            return certificate("\(host):\(port)", ends: end.map { [$0] } ?? [], at: Clock.wall())
        } catch {
            return .problem("\(host):\(port): \(error.reason); see the other findings about it")
        }
    }

    /// Judges the certificates of a file or a server. Pure.
    ///
    /// - Parameter ends: of a file of authorities all, of which one that goes on suffices.
    static func certificate(_ place: String, ends: [WallTime], at now: WallTime) -> Finding {
        guard let last = ends.max() else {
            return .problem("\(place) shows no certificate; see the other findings about it")
        }
        let day = String(last.rfc3339.prefix(10))
        let left = (last.millisecondsSince1970 - now.millisecondsSince1970) / 86_400_000
        guard last > now else {
            return .problem("\(place): ended on \(day); renew it, and set the clock right if the day is wrong")
        }
        guard left >= renewalDays else {
            return .problem("\(place): ends on \(day), in \(left) days; renew it now")
        }
        return .well("\(place): until \(day)")
    }

    fileprivate static func word(_ path: String) -> String? {
        (try? String(contentsOfFile: path, encoding: .utf8))?.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}

/// Wear of a disk, as an eMMC tells it (JEDEC 84-B50: life time estimation, pre-EOL). SD cards tell nothing.
struct DiskWear: Hashable, Sendable {
    let isGood: Bool
    let text: String

    /// - Parameter device: folder of the device or of its partition in sysfs.
    init(ofBlockDevice device: String) {
        let folders = ["\(device)/device", "\(device)/../device"]
        func words(_ name: String) -> [Int] {
            let text = folders.lazy.compactMap { Probe.word("\($0)/\(name)") }.first ?? ""
            return text.split(separator: " ").compactMap { Int($0.dropFirst(2), radix: 16) }
        }
        // 1 is up to 10 % of the life, 10 up to 100 %, 11 beyond it; 0 is not told.
        let used = words("life_time").filter { $0 > 0 }.max()
        // 1 is normal; 2 and 3: 80 and 90 % of the reserve blocks are used.
        let reserve = words("pre_eol_info").first ?? 1
        guard let used else {
            (isGood, text) = (
                reserve <= 1, reserve <= 1 ? "it does not tell its wear" : "its reserve is nearly used up"
            )
            return
        }
        isGood = used < 9 && reserve <= 1
        text = used > 10 ? "its life is over" : "up to \(used * 10) % of its life are used"
    }
}
