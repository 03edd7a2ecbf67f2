import CCurl
import GatewayModel
import Glibc
import RealTime

/// Requests under way at the same time, on one thread: an alarm does not wait for another's service.
final class TransferSet {
    private let multi: UnsafeMutableRawPointer
    private var transfers: [UnsafeMutableRawPointer: Transfer] = [:]

    init() throws(AmbulanceServiceError) {
        // A service that has gone must not end this process: OpenSSL writes without MSG_NOSIGNAL.
        signal(SIGPIPE, SIG_IGN)
        guard let multi = curl_multi_init() else { throw .system("libcurl does not start") }
        self.multi = multi
    }

    deinit {
        for transfer in transfers.values { curl_multi_remove_handle(multi, transfer.handle.raw) }
        transfers = [:]
        curl_multi_cleanup(multi)
    }

    func start(_ transfer: Transfer) throws(AmbulanceServiceError) {
        let code = curl_multi_add_handle(multi, transfer.handle.raw)
        guard code == CURLM_OK else { throw .system(String(cString: curl_multi_strerror(code))) }
        transfers[transfer.handle.raw] = transfer
    }

    /// Ends it without an outcome.
    func cancel(_ number: Int) {
        guard let transfer = transfers.values.first(where: { $0.number == number }) else { return }
        remove(transfer)
    }

    private func remove(_ transfer: Transfer) {
        curl_multi_remove_handle(multi, transfer.handle.raw)
        transfers[transfer.handle.raw] = nil
    }

    /// Does what can be done now.
    /// - Returns: what has ended, with its outcome.
    func advance() -> [(number: Int, outcome: HTTPOutcome)] {
        var running: Int32 = 0
        curl_multi_perform(multi, &running)
        var ended: [(number: Int, outcome: HTTPOutcome)] = []
        var waiting: Int32 = 0
        while let message = curl_multi_info_read(multi, &waiting) {
            guard message.pointee.msg == CURLMSG_DONE, let raw = message.pointee.easy_handle,
                let transfer = transfers[raw]
            else { continue }
            // The message is gone with the handle's removal: read first.
            ended.append((transfer.number, transfer.outcome(message.pointee.data.result)))
            remove(transfer)
        }
        return ended
    }

    /// Until a transfer can go on, `wakeup` is signalled, or `limit` is over.
    func wait(_ wakeup: Wakeup, upTo limit: Duration) {
        var extra = curl_waitfd(fd: wakeup.descriptor, events: Int16(CURL_WAIT_POLLIN), revents: 0)
        let milliseconds = Int32(clamping: (max(limit.wholeNanoseconds, 0) + 999_999) / 1_000_000)
        curl_multi_poll(multi, &extra, 1, milliseconds, nil)
    }
}
