import RealTime

/// How the centre is reached: looked up, and again after a failure.
extension SCAIPLoop {
    /// Over the way there is; where there is none or it is stale, over a new one as soon as it is found.
    func transmit(_ xml: String, as reference: SCAIPReference) {
        guard let stack, !isWayStale, stack.way.isCurrent else { return findWay() }
        stack.send(xml, as: reference)
    }

    /// The resolver may block for many seconds, so it has a thread of its own that nobody waits for.
    func findWay() {
        guard !isLookingUp else { return }
        isLookingUp = true
        let (host, port, mailbox) = (checked.settings.host, checked.settings.port, mailbox)
        do {
            _ = try NamedThread("scaip-lookup") { mailbox.put(.found(SIPRoute.lookUp(host, port: port))) }
        } catch {
            isLookingUp = false
            failAll("looking up \(host): \(error)")
        }
    }

    func wayFound(_ found: [String]) {
        isLookingUp = false
        let settings = checked.settings
        guard !found.isEmpty else {
            return failAll("\(settings.host) cannot be looked up; check its spelling and the network's DNS")
        }
        // The one that failed goes last.
        let failed = isWayStale ? stack?.way.address : nil
        let ways = (found.filter { $0 != failed } + found.filter { $0 == failed })
            .compactMap { SIPRoute(to: $0, port: settings.port) }
        guard let way = ways.first else {
            return failAll("there is no route to \(settings.host) (\(found[0])); check the network")
        }
        // Before the new one, which may want the same port.
        stack = nil
        do throws(SCAIPError) {
            stack = try SIPStack(way: way, peers: found, checked: checked) { [unowned self] in self.came($0) }
        } catch {
            return failAll(error.description)
        }
        isWayStale = false
        for (reference, xml) in unanswered { stack?.send(xml, as: reference) }
        stack?.register()
    }

    private func failAll(_ reason: String) {
        isWayStale = true
        for (reference, _) in unanswered { cameNothing(reference, reason) }
    }
}
